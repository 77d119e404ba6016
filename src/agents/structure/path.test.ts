import { expect, test } from 'vitest';
import { useRefundBench } from '../../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const answerTo = async (message: string) => (await ask('ask_architectureInvestigationAgent', message)).json;

test('whether one part is apart from another is answered with yes or no first, by what was asked', async () => {
  const depends = await answerTo('Does lib/garden depend on lib/weather?');
  const isFree = await answerTo('Is lib/garden free of lib/weather?');
  const without = await answerTo('Can lib/weather be used without lib/garden?');

  expect(depends.answer).toMatch(/^Yes: `lib\/garden` depends on `lib\/weather` in 1 step/);
  expect(depends.answer).toContain('`lib/weather` does not depend on `lib/garden`');
  expect(isFree.answer).toMatch(/^No: `lib\/garden` depends on `lib\/weather`/);
  expect(without.answer).toMatch(/^Yes: `lib\/weather` does not depend on `lib\/garden` within five steps/);
  expect(depends.sources[0]).toMatchObject({ path: 'lib/garden/water.ts', lines: '1' });
});

test('a way is found behind more dependencies than one answer of a tool has', async () => {
  const names = Array.from({ length: 120 }, (_, at) => `near${String(at).padStart(3, '0')}`);
  const near = names.map((name) => [
    `wide/${name}.ts`,
    `import { deep } from './zone.ts';\n\nexport const ${name} = (): number => deep();\n`,
  ]);
  await shop.bench.commitAndIndex({
    files: {
      ...Object.fromEntries(near),
      'wide/zone.ts': "import { goal } from './zz.ts';\n\nexport const deep = (): number => goal();\n",
      'wide/zz.ts': 'export const goal = (): number => 1;\n',
      'wide/all.ts': `${names.map((name) => `import { ${name} } from './${name}.ts';`).join('\n')}\n\nexport const all = [${names.join(', ')}];\n`,
    },
    message: 'feat: a wide tree',
  });
  const { answer } = await answerTo('Does `wide/all.ts` depend on `wide/zz.ts`?');

  expect(answer).toMatch(/^Yes: `wide\/all\.ts` depends on `wide\/zz\.ts` in 3 steps/);
});

test('whether a part depends on a package of others is told with the files that import that', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'cli/start.ts': "import { program } from 'commander';\n\nexport const start = (): void => program.parse();\n",
    },
    message: 'feat: a command line',
  });
  const { answer, sources } = await answerTo('Is lib/weather independent of commander?');
  const other = await answerTo('What imports commander?');

  expect(answer).toMatch(
    /^Yes: `lib\/weather` does not depend on the package `commander`.*1 file imports `commander`: cli\/start\.ts/,
  );
  expect(sources[0]).toMatchObject({ path: 'cli/start.ts', lines: '1' });
  expect(other.answer).toMatch(/^1 file imports the package `commander`: cli\/start\.ts/);
});

test('a class is not the function that is called like it, and the other one is named', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'core/signal.ts': 'export class Signal {\n  on = 1;\n}\n\nexport function signal(): number {\n  return 2;\n}\n',
      'core/tower.ts': "import { Signal } from './signal.ts';\n\nexport const tower = new Signal();\n",
      'core/flag.ts': "import { signal } from './signal.ts';\n\nexport const flag = signal();\n",
    },
    message: 'feat: signals',
  });
  const ofClass = await answerTo('What would be affected if I change how Signal works?');
  const ofFunction = await answerTo('What uses the function signal?');

  expect(ofClass.answer).toMatch(/^1 file depends on `Signal`: core\/tower\.ts/);
  expect(ofClass.gaps.join()).toContain('`signal` (function, core/signal.ts:5) is not `Signal` (class)');
  expect(ofFunction.answer).toMatch(/^1 file depends on `signal`: core\/flag\.ts/);
});
