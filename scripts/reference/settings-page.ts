import { settingReference } from '../../src/platform/config.ts';
import { code, page, table } from './markdown.ts';

const INTRODUCTION = `A flag wins over a variable of the environment, a variable over the default; an empty variable counts as absent.
\`svc doctor\` prints each setting with its value and where that came from. [operate.md](operate.md) says how they work together.`;

export function settingsPage(): string {
  const rows = settingReference().map(({ name, allowed, fallback, meaning }) => [
    code(name),
    fallback === '' ? 'none' : fallback.includes(' ') ? fallback : code(fallback),
    allowed,
    meaning,
  ]);
  return page('Settings', INTRODUCTION, table(['variable', 'default', 'value', 'meaning'], rows));
}
