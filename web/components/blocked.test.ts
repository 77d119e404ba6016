import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const WEB = dirname(import.meta.dirname);

/** Conditions that last only while an answer is on its way, and need no reason. */
const MOMENT = /^(?:\w+\.)?(?:busy|isReading|isFetchingNextPage)$/;

/** Buttons and fields that are disabled for longer than an answer takes: they have to say why with `blocked`. */
function silent(text: string): string[] {
  const conditions = Array.from(text.matchAll(/\sdisabled(?:=\{([^}]*)\})?(?=[\s/>])/g), ([, condition]) => condition);
  return conditions
    .filter((condition) => !(condition ?? '').split('||').every((part) => MOMENT.test(part.trim())))
    .map((condition) => condition ?? 'always');
}

test('whatever cannot be pressed says why, unless it only waits for an answer', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.tsx'));
  expect(files.length).toBeGreaterThan(100);

  const faults = files.flatMap((name) => silent(readFileSync(join(WEB, name), 'utf8')).map((why) => `${name}: ${why}`));

  // The item of a menu is disabled by its reason, which is shown below its name.
  expect(faults).toEqual(['components/menu.tsx: blocked !== false']);
});

test.each([
  ['<Button disabled={save.busy || isReading}>', []],
  ['<Button disabled={save.busy || !isChanged}>', ['save.busy || !isChanged']],
  ['<input disabled />', ['always']],
  ['<p className="disabled:opacity-50">disabled here</p>', []],
])('%s', (text, expected) => {
  expect(silent(text)).toEqual(expected);
});
