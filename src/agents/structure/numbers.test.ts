import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import type { Effort } from '../gather/code.ts';
import { parseQuestion } from '../question/question.ts';
import { askStructure } from './ask-structure.ts';

type Answer = Parameters<typeof scriptedTools>[0];

/** What the agent says of a structure, in lines, and what it asked. */
async function tell(question: string, answer: Answer, effort: Effort = 'standard') {
  const { tools, asked } = scriptedTools(answer);
  const found = await askStructure(tools, parseQuestion(question), effort);
  if (found === undefined) throw new Error(`${question} is no question about structure`);
  const { composed, confidence, lead } = found;
  const lines = composed.paragraphs.flatMap(({ sentences }) => sentences);
  return { lines, gaps: composed.gaps, confidence, lead, asked: asked.map(({ args }) => args) };
}

/** A place of the code for each file that is asked for. */
function placeOf({ query }: Readonly<Record<string, unknown>>): object[] {
  const [path = ''] = String(query).split(':');
  if (!path.endsWith('.ts')) return [];
  return [{ path, start: 1, end: 1, body: 'go();', symbol: '', qualified: '', kind: 'file', signature: '' }];
}

const smells: Answer = (_, args) => {
  if (args['action'] === 'definition') return placeOf(args);
  return args['action'] === 'smells' ? Array.from({ length: Number(args['limit']) }, (__, at) => row(at)) : [];
};

const count = async (effort: Effort): Promise<number> =>
  (await tell('Which files are too large?', smells, effort)).lines.length;

test('two, four or eight rows are told, by the effort', async () => {
  expect([await count('quick'), await count('standard'), await count('deep')]).toEqual([2, 4, 8]);
});

const kinds = async (question: string): Promise<unknown> => (await tell(question, smells)).asked[0]?.['kind'];

test('a question about length is about length, one about complexity about that, and one about functions about both', async () => {
  expect(await kinds('Which functions are too long?')).toEqual(['long_function']);
  expect(await kinds('Which is the most complex function?')).toEqual(['complexity']);
  expect(await kinds('Which functions have smells?')).toEqual(['long_function', 'complexity']);
  expect(await kinds('Where is duplicated code?')).toEqual(['duplicate']);
  expect(await kinds('Which god classes are there?')).toEqual(['god_class']);
  expect(await kinds('Which files are too large?')).toEqual(['large_file']);
});

test('what was looked up of all that was named is told with more confidence than what is not, and than what was ranked', async () => {
  const sure = await tell('Are there import cycles?', smells);
  const ranked = await tell('Which files are too large?', smells);
  const unsure = await tell('Is `src/a.ts` larger than `missing`? Which files are too large?', smells);

  expect([sure.confidence, ranked.confidence, unsure.confidence]).toEqual([0.9, 0.5, 0.5]);
  expect(unsure.gaps).toEqual([
    'nothing in the index is called `missing`',
    '“Is `src/a.ts` larger than `missing`?” was not answered: ask it separately',
  ]);
});

test('twelve of the files that depend on one are named, and the lines of the first two are cited', async () => {
  const { lines } = await tell('What depends on `src/mail.ts`?', (_, args) => {
    const { action } = args;
    if (action === 'dependencies')
      return Array.from({ length: 20 }, (__, at) => {
        return { from: `src/${at}.ts`, to: 'src/mail.ts', relation: 'imports', hop: 1, grade: 'exact' };
      });
    if (action !== 'definition') return [];
    return placeOf(args).map((place) => ({ ...place, body: "import { send } from './mail.ts';" }));
  });

  expect(lines[0]?.text).toMatch(/^20 files depend on `src\/mail\.ts`: .*src\/11\.ts and 8 more\.$/);
  expect(lines[0]?.sources).toHaveLength(2);
});

test('of a circle the imports between the first four files are looked for, and two are cited', async () => {
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `src/${name}.ts`);
  const { lines, asked } = await tell('Are there import cycles?', (_, args) => {
    const { action } = args;
    if (action === 'smells') return [{ path: 'src/a.ts', line: 1, smell: 'cycle', value: 6, threshold: 0, files }];
    return placeOf(args).map((place) => ({ ...place, body: files.map((path) => `import '${path}';`).join('\n') }));
  });
  const read = new Set(asked.flatMap(({ query }) => (typeof query === 'string' ? [query.slice(4, 5)] : [])));

  expect([...read].toSorted()).toEqual(['a', 'b', 'c', 'd']);
  expect(lines[0]?.sources).toHaveLength(2);
});

const row = (at: number) => ({ path: `src/${at}.ts`, line: 1, smell: 'large_file', value: 900 - at, threshold: 400 });

test('no circle is an answer', async () => {
  expect(await tell('Are there import cycles?', () => [])).toMatchObject({
    lead: 'No files import each other in a circle.',
    confidence: 0.9,
  });
});

test('where nothing is too large, that is the answer', async () => {
  const { lead, lines, confidence } = await tell('Which files are the biggest and most complicated?', () => []);

  expect(lead).toBe('Nothing in the repository is above the threshold of complexity and large file.');
  expect([lines, confidence]).toEqual([[], 0.9]);
});

test('what the program is made of is named before the examples that depend on the same', async () => {
  const importers = ['docs/conf.ts', 'examples/one.ts', 'src/worker.ts'];
  const { lines } = await tell('What depends on `src/mail.ts`?', (_, args) => {
    if (args['action'] === 'dependencies')
      return importers.map((from) => ({ from, to: 'src/mail.ts', relation: 'imports', hop: 1, grade: 'exact' }));
    if (args['action'] !== 'definition') return [];
    return placeOf(args).map((place) => ({ ...place, body: "import { send } from './mail.ts';" }));
  });

  expect(lines[0]?.text).toBe('3 files depend on `src/mail.ts`: src/worker.ts, docs/conf.ts and examples/one.ts.');
});

test('a circle that begins outside of a part and leads through it is told of the part', async () => {
  const circle = {
    path: 'lib/a.ts',
    line: 1,
    smell: 'cycle',
    value: 2,
    threshold: 0,
    files: ['lib/a.ts', 'src/bank/b.ts'],
  };
  const { lines } = await tell('Are there import cycles in src/bank?', (_, args) => {
    if (args['action'] === 'map') return [{ part: 'layers', path: 'src/bank' }];
    if (args['action'] === 'smells') return args['path'] === undefined ? [circle] : [];
    return args['action'] === 'definition' ? placeOf(args) : [];
  });

  expect(lines[0]?.text).toBe('Yes: 2 files import each other in a circle: lib/a.ts and src/bank/b.ts.');
});

const CHANGED = Array.from({ length: 6 }, (_, at) => ({
  path: `src/${at}.ts`,
  score: 9 - at,
  revisions: 4,
  authors: 1,
  complexity: at === 2 ? 90 : 10,
  fix_share: 0,
  lines: at === 1 ? 700 : 100 + at,
}));
const carried = { ...CHANGED[0], path: 'web/static/jquery.js', lines: 9_000, complexity: 3_000 };
const changed: Answer = (_, args) => {
  if (args['action'] === 'hotspots') return [carried, ...CHANGED];
  return args['action'] === 'definition' ? placeOf(args) : [];
};

test('the biggest and the most complex file are told first, and no copy of a library', async () => {
  const { lines, gaps } = await tell('What is the biggest and most complicated file here?', changed);

  expect(lines.slice(0, 2).map(({ text }) => text)).toEqual([
    'src/1.ts is the biggest file, with 700 lines and a complexity of 10.',
    'src/2.ts is the most complex file, with 102 lines and a complexity of 90.',
  ]);
  expect(lines).toHaveLength(5);
  expect(gaps).toEqual([
    'left out: 1 row of files that are copies of others or are generated',
    'lines are counted with comments and blank ones',
  ]);
});

test('circles that only imports of types close are said, and none at run time', async () => {
  const { lead, confidence } = await tell('Do files import each other in a circle?', () => ({
    rows: [],
    notes: ['not counted, closed by types alone: 2 circles of imports, as src/a.ts, src/b.ts'],
  }));

  expect(lead).toBe(
    'No files import each other in a circle at run time; by imports of types alone there are 2 circles of imports, as src/a.ts, src/b.ts in all of the repository.',
  );
  expect(confidence).toBe(0.9);
});

test('most fixes, and most changes together, are told by their counts, most first', async () => {
  const fixed = CHANGED.map((one, at) => ({ ...one, fixes: at === 4 ? 3 : 1 }));
  const pairs = [2, 9, 4].map((shared) => ({ a: `a${shared}.ts`, b: 'b.ts', shared, degree_pct: 50, linked: true }));
  const answer: Answer = (_, { action, path }) => {
    if (action === 'hotspots') return fixed;
    if (action === 'coupling') return pairs;
    const commit = { sha: 'c0ffee', id: 'c:c0ffee', date: '2026-01-01', author: 'Ada', subject: `fix ${String(path)}` };
    return action === 'search' ? [commit] : [];
  };

  expect((await tell('Where do most bugs happen?', answer)).lines[0]?.text).toMatch(/^src\/4\.ts: /);
  expect((await tell('Which files are hotspots?', answer)).lines[0]?.text).toMatch(/^src\/0\.ts: /);
  expect((await tell('Which files change together most often?', answer)).lines[0]?.text).toMatch(/^a9\.ts and /);
  expect((await tell('Which files change together?', answer)).lines[0]?.text).toMatch(/^a2\.ts and /);
});

/** What the history says of who made a path; nothing where something else is asked. */
function madeBy({ action, path, limit }: Readonly<Record<string, unknown>>): ReturnType<Answer> | undefined {
  const commit = { sha: 'c0ffee', id: 'c:c0ffee', date: '2026-01-01', author: 'Ada', subject: 'feat: go' };
  if (action === 'classify')
    return { rows: [commit], total: 2, groups: [{ name: `Ada of ${String(path)}`, commits: 2 }] };
  return action === 'search' && limit === 1 ? [commit] : undefined;
}

const biggestMade: Answer = (_, args) => madeBy(args) ?? changed(_, args);

test('who wrote what another part of the question is answered with is told of that, of all of it where it names nothing', async () => {
  const biggest = await tell('Which is the biggest file, and who wrote most of it?', biggestMade);
  const all = await tell('Who wrote most of it?', biggestMade);

  expect(biggest.lines.at(-1)?.text).toMatch(/^All 2 commits to src\/1\.ts .* were made by Ada of src\/1\.ts\.$/);
  expect(all.lines[0]?.text).toMatch(/^All 2 commits to the repository .* were made by Ada of \.\.$/);
});

function packageEntry(name: string, files: number): object {
  return {
    part: 'packages',
    package: name,
    path: `packages/${name}`,
    files,
    manifest: `packages/${name}/a.ts`,
  };
}

test('which package is the largest is told by their files, and who wrote it', async () => {
  const { lines } = await tell('Which package has most code, and who wrote it?', (_, args) =>
    args['action'] === 'map' ? [packageEntry('small', 2), packageEntry('large', 9)] : (madeBy(args) ?? placeOf(args)),
  );

  expect(lines.map(({ text }) => text)).toEqual([
    'large (packages/large) has 9 files.',
    'small (packages/small) has 2 files.',
    expect.stringMatching(/^All 2 commits to packages\/large /),
    expect.stringMatching(/^All 2 commits to packages\/large /),
  ]);
});
