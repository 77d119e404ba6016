import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeConfig, readConfig } from '../platform/config.ts';

const document = readFileSync(join(import.meta.dirname, '../../docs/operate.md'), 'utf8');

test('docs/operate.md lists every setting with its meaning, in the order of svc doctor, and no other', () => {
  const rows = document
    .split('\n')
    .filter((line) => /^\| `[A-Z_]+`/.test(line))
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

  expect(rows.map(([, name, , meaning]) => ({ name, meaning }))).toEqual(
    describeConfig(readConfig({})).map(({ name, meaning }) => ({ name: `\`${name}\``, meaning })),
  );
});

test('docs/operate.md tells the defaults that are the same on every machine', () => {
  const rows = new Map(
    [...document.matchAll(/^\| `([A-Z_]+)`\s*\| (.*?)\s*\|/gm)].map(([, name = '', fallback = '']) => [name, fallback]),
  );
  const settings = describeConfig(readConfig({}));

  for (const name of ['SVC_HOST', 'SVC_PORT', 'SVC_ADMIN_PORT', 'SVC_LOG_LEVEL', 'SVC_RATE_LIMIT_PER_MINUTE']) {
    expect({ name, fallback: rows.get(name) }).toEqual({
      name,
      fallback: `\`${settings.find((setting) => setting.name === name)?.value}\``,
    });
  }
});
