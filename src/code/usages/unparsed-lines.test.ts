import { expect, test } from 'vitest';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { usages } from './store-usages.ts';
import { wordPattern } from './unparsed-lines.ts';

test('usages count what the text has beyond them: unread identifiers, and lines of files that were not parsed', async () => {
  const text = 'run();\nthrows(run)\n';
  const uses = [
    { line: 1, name: 'run', use: 'call' as const, target: 'run@b.ts' },
    { line: 2, name: 'run', use: 'read' as const, isUnread: true as const },
  ];
  const symbols = [{ qualified: 'run', kind: 'function' as const, line: 1 }];
  const files = [
    { path: 'a.ts', text, uses },
    { path: 'b.ts', text: 'function run() {}\n', symbols },
    { path: 'large.ts', text: 'run(); rerun();\nrerun();\n', failed: 'larger than 1 MB' },
    { path: 'notes.md', text: 'run it\n', language: 'Markdown', failed: 'larger than 1 MB' },
  ];

  await withShard(shardInput(files), (db) => {
    const find = (more: object): ReturnType<typeof usages> =>
      usages(db, { symbols: [0], limit: 9, offset: 0, ...more });
    const { total, named, inText } = find({});

    expect([total, named.total, inText.total, inText.names]).toEqual([1, 0, 2, ['run']]);
    expect(inText.rows.map(({ path, line }) => `${path}:${line}`)).toEqual(['a.ts:2', 'large.ts:1']);
    expect(find({ path: 'a.ts' }).inText.total).toBe(1);
    expect(find({ uses: ['call'] }).inText.total).toBe(0);
  });
});

test('a pattern for names holds them as words, whatever their marks', () => {
  expect(wordPattern(['run', '$a', 'ok?'])).toBe(String.raw`\brun\b|\$a\b|\bok\?`);
});
