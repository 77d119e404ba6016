import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

/** Effects that give back what a call answers: React would call it to clean up, and the page fails where it is no function. */
function leaking(text: string): string[] {
  return Array.from(text.matchAll(/\buse(?:Layout)?Effect\(\(\) => (?!\{|\(\) =>)[^\n]*/g), ([effect]) => effect);
}

test('an effect gives back nothing, or what cleans up', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.tsx?$/.test(name),
  );
  expect(files.length).toBeGreaterThan(100);

  const sources = files.filter((name) => !name.endsWith('.test.ts'));
  expect(
    sources.flatMap((name) => leaking(readFileSync(join(import.meta.dirname, name), 'utf8')).map(() => name)),
  ).toEqual([]);
});

test.each([
  ["useEffect(() => list.current?.scrollIntoView({ block: 'nearest' }), [path]);", 1],
  ['useEffect(() => {\n  list.current?.scrollIntoView();\n}, [path]);', 0],
  ['useEffect(() => () => clearTimeout(timer.current), []);', 0],
])('%s', (text, expectedCount) => {
  expect(leaking(text)).toHaveLength(expectedCount);
});
