import { expect, test } from 'vitest';
import { useRefundBench } from '../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const manifest = (name: string): string => `{ "name": "${name}", "version": "1.0.0", "main": "index.js" }\n`;
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
    '- @yard/view (packages/view, 3 files) imports @yard/engine (2 files), and none imports it.',
    '- alone (packages/alone, 3 files) imports no other package of the repository, and none imports it.',
    '- @yard/engine (packages/engine, 2 files) imports no other package of the repository and is imported by @yard/view.',
  ]);
  expect(sources[0]).toMatchObject({ path: 'packages/view/index.js', lines: '1' });
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

  expect(all.answer).toContain(`- desk (packages/desk, 2 files) imports ${name} (1 file)`);
  expect(JSON.stringify(all)).toContain(`“${name}” was read as the repository, not as its package packages/${name}`);
  expect(one.answer).not.toContain('packages/desk');
});
