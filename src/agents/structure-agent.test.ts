import { expect, test } from 'vitest';
import { useRefundBench } from '../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const architecture = 'ask_architectureInvestigationAgent';

test('what depends on a file is told, not what that depends on', async () => {
  const { json } = await ask(architecture, 'What depends on src/bank.ts?');

  expect(json.answer).toMatch(/^\d files? depends? on `src\/bank\.ts`: .*\bsrc\/refund\.ts\b/);
});

test('how the parts of the code depend on each other is told of all of them', async () => {
  const { json } = await ask(architecture, 'What are the main parts of the shop and how do they depend on each other?');

  expect(json.answer).toMatch(/^From the top down the layers of the code are /);
});

test('whether one type depends on another is told for plain words by their files', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'src/porter.ts':
        "import { Warehouse } from './warehouse.ts';\n\nexport class Porter {\n  house = new Warehouse();\n}\n",
      'src/warehouse.ts': 'export class Warehouse {\n  goods = 1;\n}\n',
    },
    message: 'feat: carry goods',
  });
  const { json } = await ask(architecture, 'Do the porters know the warehouse or the warehouse the porters?');

  expect(json.answer).toContain('`src/porter.ts` depends on `src/warehouse.ts` in 1 step');
  expect(json.answer).toContain('`src/warehouse.ts` does not depend on `src/porter.ts`');
});

test('files that change together are told to refer to each other when they do', async () => {
  for (const count of [1, 2, 3])
    await shop.bench.commitAndIndex({
      files: {
        'src/cart.ts': `import { price } from './price.ts';\n\nexport const cart = () => price() + ${count};\n`,
        'src/price.ts': `export const price = () => ${count};\n`,
        'src/terms.ts': `export const terms = ${count};\n`,
      },
      message: `feat: change prices ${count}`,
    });
  const { json } = await ask(architecture, 'Which files change together?');

  expect(json.answer).toMatch(
    /src\/(?:cart|price)\.ts and src\/(?:cart|price)\.ts changed together in 3 commits \([^)]*\) \[/,
  );
  expect(json.answer).toMatch(/src\/terms\.ts changed together in 3 commits .*though neither refers to the other/);
});

test('where nothing changed often lately, what changed often ever is told, and that it is', async () => {
  for (const count of [1, 2, 3])
    await shop.bench.commitAndIndex({
      files: { 'src/stamps.ts': `export const stamps = (paid: number) => (paid > ${count} ? paid : ${count});\n` },
      message: `fix: count stamps ${count}`,
      date: `2020-05-0${count}T00:00:00Z`,
    });
  const { json } = await ask(architecture, 'Is src/stamps.ts a hotspot?');

  expect(json.answer).toMatch(/^src\/stamps\.ts: 3 changes/);
  expect(json.gaps).toContain(
    'nothing changed often in the last twelve months: the changes of the whole history are counted',
  );
});
