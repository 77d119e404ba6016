import { expect, test } from 'vitest';
import { useRefundBench } from '../../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const manifest = (name: string): string => `{ "name": "${name}", "version": "1.0.0", "main": "index.js" }\n`;
const described = (name: string, says: string): string =>
  `{\n  "name": "${name}",\n  "description": "${says}",\n  "main": "index.js"\n}\n`;
const answerTo = async (message: string) => (await ask('ask_architectureInvestigationAgent', message)).json;

test.each([
  'How is the code divided into subsystems?',
  'What are the building blocks of the shop, from the command line down to the bank?',
])('"%s" is told by folders, each with a line by which it uses another, and never as sure', async (question) => {
  const { answer, sources, confidence } = await answerTo(question);

  expect(answer).toMatch(/- lib\/garden \(1 file\) uses lib\/weather \(1 pair of files\) \[\d\]\./);
  expect(JSON.stringify(sources)).toContain("import { isRainLikely } from '../weather/forecast.ts'");
  expect(confidence).toBe('medium');
});

test('of several packages it is told which imports which, by their names, and what is built on most comes last', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'packages/engine/package.json': manifest('@yard/engine'),
      'packages/engine/index.js': 'export const run = () => 1;\n',
      'packages/view/package.json': manifest('@yard/view'),
      'packages/view/index.js': "import { run } from '@yard/engine';\n\nexport const show = () => run();\n",
      'packages/view/two.js': "import { run } from '@yard/engine';\n\nexport const twice = () => run() + run();\n",
      'packages/alone/package.json': manifest('alone'),
      'packages/alone/README.md': "# Alone\n\nimport { run } from '@yard/engine'\n",
      'packages/alone/index.js': 'export const alone = 1;\n',
    },
    message: 'feat: packages',
  });
  const { answer, sources } = await answerTo('How is the repository divided into packages and which depends on which?');

  expect(answer.split('\n').map((line: string) => line.replace(/ \[\d+\]/, ''))).toEqual([
    'The repository has 3 packages; @yard/engine imports none of the others; none imports @yard/view; alone stands alone.',
    '',
    '- @yard/view (packages/view, 3 files) imports @yard/engine (2 files), and none imports it.',
    '- alone (packages/alone, 3 files) imports no other package of the repository, and none imports it.',
    '- @yard/engine (packages/engine, 2 files) imports no other package of the repository and is imported by @yard/view.',
  ]);
  expect(sources[1]).toMatchObject({ path: 'packages/view/index.js', lines: '1' });

  const dependents = await answerTo('Which packages would be affected if the engine package changed?');
  const cycles = await answerTo('Are there circular imports between the packages?');

  expect(dependents.answer).toMatch(/^1 package imports `packages\/engine`: @yard\/view \(2 files\) \[1\]\[2\]\./);
  expect(cycles.answer).toBe('No: none of the 3 packages import each other in a circle.');
});

test('packages that import each other in a circle are told with the lines, and what each is for by its manifest', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'packages/ink/package.json': described('@press/ink', 'Mixes colours'),
      'packages/ink/index.js': "import { sheet } from '@press/paper';\n\nexport const ink = () => sheet;\n",
      'packages/paper/package.json': described('@press/paper', 'Cuts sheets'),
      'packages/paper/index.js': "import { ink } from '@press/ink';\n\nexport const sheet = () => ink;\n",
    },
    message: 'feat: print',
  });
  const cycles = await answerTo('Do any packages import each other in a cycle?');
  const purposes = await answerTo('Which packages are there and what is each of them for?');

  expect(cycles.answer).toMatch(
    /^Yes: the packages (?:@press\/ink and @press\/paper|@press\/paper and @press\/ink) import each other in a circle/,
  );
  expect(JSON.stringify(cycles.sources)).toContain("import { sheet } from '@press/paper';");
  expect(JSON.stringify(purposes)).not.toContain('was not answered');
  expect(purposes.answer).toContain('Its manifest says: “Mixes colours”');
});

test('what a comment, a text or a fixture imports links no packages', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'packages/oven/package.json': manifest('@bake/oven'),
      'packages/oven/index.js':
        "// import { knead } from '@bake/dough';\nexport const help = `\nimport { knead } from '@bake/dough';\n`;\n",
      'packages/oven/fixtures/one.js': "import { knead } from '@bake/dough';\n\nknead();\n",
      'packages/dough/package.json': manifest('@bake/dough'),
      'packages/dough/index.js': "import { help } from '@bake/oven';\n\nexport const knead = () => help;\n",
    },
    message: 'feat: bake',
  });
  const { answer } = await answerTo('Are there circular imports between the packages?');

  expect(answer).not.toContain('@bake');
});

test('a part of a question that is about something else is named, and the answer is not sure', async () => {
  const { gaps, confidence } = await answerTo('Where does the program start and which colours does it have?');

  expect(gaps).toContain('“which colours does it have?” was not answered: ask it separately');
  expect(confidence).not.toBe('high');
});

test('what a repository and one of its packages are both called means the repository, unless it is called a package', async () => {
  const name = 'shop';
  await shop.bench.commitAndIndex({
    files: {
      [`packages/${name}/package.json`]: manifest(name),
      [`packages/${name}/index.js`]: 'export const run = () => 1;\n',
      'packages/desk/package.json': manifest('desk'),
      'packages/desk/index.js': `import { run } from '${name}';\n\nexport const show = () => run();\n`,
    },
    message: 'feat: packages',
  });
  const all = await answerTo(`Which packages does ${name} have, and which package of ${name} depends on which?`);
  const one = await answerTo(`What are the main parts of the ${name} package?`);

  expect(all.answer).toContain(`- desk imports ${name} [`);
  expect(one.answer).not.toContain('packages/desk');
});
