import { expect, test } from 'vitest';
import { useRefundBench } from '../../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const architecture = 'ask_architectureInvestigationAgent';

const answerTo = async (message: string) => (await ask(architecture, message)).json;

/** Two folders whose files change together, one of them by Ada and once by Ben. */
async function changeBoth(): Promise<void> {
  for (const count of [1, 2, 3, 4])
    await shop.bench.commitAndIndex({
      files: {
        'lib/weather/forecast.ts': `export const isRainLikely = (clouds: number) => clouds > ${count};\n`,
        'lib/weather/wind.ts': `export const wind = ${count};\n`,
        'src/bank.ts': `export const bank = (sum: number) => sum + ${count};\n`,
        'art/themes/dark.txt': `dark ${count}\n`,
      },
      message: `feat: change ${count}`,
    });
}

test('hotspots and what changes together are told of the folder that a question names', async () => {
  await changeBoth();
  const hotspots = await answerTo('Which files in the weather folder change the most?');
  const coupling = await answerTo('Which files in lib/weather change together?');

  expect(hotspots.answer).toContain('lib/weather/forecast.ts: 5 changes');
  expect(hotspots.answer).not.toContain('src/bank.ts');
  expect(coupling.answer).toMatch(
    /^- lib\/weather\/\w+\.ts and lib\/weather\/\w+\.ts changed together in 4 commits \(\d+ % of the mean of \d and \d commits to each\)/,
  );
  expect(coupling.answer).not.toContain('src/bank.ts');
});

test('what changes with a folder of files that are no code is told of that folder', async () => {
  await changeBoth();
  const { answer } = await answerTo('Which files usually change together with the themes in art?');

  expect(answer).toMatch(/^- art\/themes\/dark\.txt and /);
});

test('who works on a folder is told, over the whole history and lately', async () => {
  const { answer, sources } = await answerTo('Who maintains lib/weather and whom would I ask about it?');

  expect(answer).toMatch(/All \d+ commits to lib\/weather \(over the whole history\) were made by \S/);
  expect(answer).toMatch(/All \d+ commits to lib\/weather \(12 months to /);
  expect(sources[0]).toMatchObject({ kind: 'commit' });
});

test('circles are those that go through the folder that a question names', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'ring/one.ts': "import { two } from './two.ts';\n\nexport const one = (): number => two();\n",
      'ring/two.ts': "import { one } from './one.ts';\n\nexport const two = (): number => one();\n",
    },
    message: 'feat: a ring',
  });
  const within = await answerTo('Are there import cycles in the ring folder?');
  const beside = await answerTo('Are there import cycles in lib/weather?');

  expect(within.answer).toContain('ring/one.ts');
  expect(beside.answer).toContain('No circle of imports goes through lib/weather.');
});

test('a part that there is none of is said to be none, and the answer is not sure then', async () => {
  const { answer, confidence } = await answerTo('Which files in the scheduler change the most?');

  expect(answer).toMatch(
    /^No folder, package or file is called “scheduler”, so this is about the whole repository\.\n/,
  );
  expect(confidence).toBe('low');
  expect((await answerTo('Which files change the most?')).answer).not.toContain('No folder');
});
