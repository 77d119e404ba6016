import { operationCommands } from './published-operations.ts';

/** First words of the commands that hints of the service name. */
export const HINTED_COMMANDS = [
  'up',
  'serve',
  'worker',
  'repo',
  'restore',
  'index',
  'key',
  'plan',
  'work-item',
  'decision',
  'doc',
  'doctor',
  'signal',
  'competitor',
  'layers',
  'quotas',
  'scip',
  'ownership',
  'rationale',
  'ask',
  'backup',
  'bug',
  'init',
  'sync',
  'status',
  'mcp',
  'login',
  'logout',
  'login-link',
  'forget-secrets',
  'completion',
  ...operationCommands().map(({ name }) => name),
];

/**
 * Returns a command of `svc` as it can be typed where this process was started: `svc key list` when it is installed, `npm run
 * -s svc -- key list` in a checkout. The launcher passes it to its processes in `SVC_CALLED_AS`. For the terminal alone: a
 * caller over the network has an `svc` of their own, and no use for the paths of this one.
 */
export function ownCommand(words: string): string {
  return `${calledAs()} ${words}`;
}

/** A text of the service, which names commands as `svc …`, with each as it can be typed here. */
export function asTyped(text: string): string {
  const names = HINTED_COMMANDS.join('|');
  const typed = `${calledAs()} `;
  const escaped = typed.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);
  return text.replaceAll(new RegExp(`${escaped}|(?<![\\w./-])svc (?=(?:${names})\\b)`, 'g'), () => typed);
}

function calledAs(): string {
  return process.env['SVC_CALLED_AS'] ?? 'svc';
}
