import { afterAll, beforeAll, expect, test } from 'vitest';
import { shardInput } from '../../testing/code-shard.ts';
import { openCodeTool, type TestCodeTool } from '../../testing/code-tool.ts';

let tool: TestCodeTool;

beforeAll(async () => {
  tool = await openCodeTool(
    shardInput([
      {
        path: 'src/mailer.ts',
        text: 'interface Mailer {\n}\nclass Base implements Mailer {\n}\nclass Smtp extends Base {\n}\n',
        symbols: [
          { qualified: 'Mailer', kind: 'interface', line: 1, end: 2 },
          { qualified: 'Base', kind: 'class', line: 3, end: 4, supers: ['Mailer@src/mailer.ts'] },
          { qualified: 'Smtp', kind: 'class', line: 5, end: 6, supers: ['Base@src/mailer.ts'] },
        ],
        uses: [
          {
            line: 3,
            name: 'Mailer',
            use: 'implements',
            target: 'Mailer@src/mailer.ts',
            enclosing: 'Base',
            grade: 'exact',
          },
        ],
      },
      {
        path: 'test/fake.ts',
        test: true,
        text: 'class Fake implements Mailer {\n}\n',
        symbols: [{ qualified: 'Fake', kind: 'class', line: 1, end: 2, supers: ['Mailer@src/mailer.ts'] }],
      },
      {
        path: 'test/holder.ts',
        text: 'class Holder {\n  Mailer = 1;\n}\nclass Mailer {\n}\n',
        symbols: [
          { qualified: 'Holder', kind: 'class', line: 1, end: 3 },
          { qualified: 'Holder/Mailer', kind: 'property', line: 2 },
          { qualified: 'Mailer', kind: 'class', line: 4, end: 5 },
        ],
      },
    ]),
  );
});

afterAll(async () => tool.close());

test('implementations are of the interface with a name, and say how, how deep and how surely, and what it is made from', async () => {
  expect(await tool.text({ action: 'implementations', query: 'Mailer' })).toBe(
    [
      'code-tool implementations Mailer · shop@28a9c12 main fresh · 3 of 3 (implements 3)',
      'src/mailer.ts',
      ' 3 class Base implements Mailer =',
      ' 5 class Smtp extends Base ~  depth 2',
      'test/fake.ts',
      ' 1 class Fake implements Mailer ~',
      'interface sym:Mailer@src/mailer.ts is meant, not 2 of other kinds with this name',
    ].join('\n'),
  );
  expect(await tool.text({ action: 'implementations', query: 'Base', tests: 'exclude' })).toContain(
    '\nextends or implements: interface Mailer src/mailer.ts:1',
  );
});

test('the totals are those of all pages, within path and tests', async () => {
  const first = await tool.json({ action: 'implementations', query: 'Mailer', limit: 1 });
  expect(first).toMatchObject({ total: 3, shown: 1, counts: { implements: 3 } });
  const next = await tool.json({ action: 'implementations', query: 'Mailer', limit: 2, cursor: first['next'] });
  expect(next).toMatchObject({ total: 3, rows: [{ name: 'Smtp', depth: 2, grade: 'resolved' }, { name: 'Fake' }] });
  const only = await tool.json({ action: 'implementations', query: 'Mailer', tests: 'only' });
  expect(only).toMatchObject({ total: 1, rows: [{ name: 'Fake', id: 'sym:Fake@test/fake.ts' }] });
});

test('what nothing implements says so', async () => {
  const text = await tool.text({ action: 'implementations', query: 'Smtp' });

  expect(text).toContain('0 of 0');
  expect(text).toContain('nothing found in 3 files');
});
