import { expect, test } from 'vitest';
import { useRefundBench } from '../../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const architecture = 'ask_architectureInvestigationAgent';

test('what depends on a file is told, not what that depends on', async () => {
  const { json } = await ask(architecture, 'What depends on src/bank.ts?');

  expect(json.answer).toMatch(/^\d files? depends? on `src\/bank\.ts`: .*\bsrc\/refund\.ts\b/);
});

test('what depends on a folder is told with the import', async () => {
  const { json } = await ask(architecture, 'What depends on lib/weather?');

  expect(json.answer).toBe('1 file depends on `lib/weather`: lib/garden/water.ts [1].');
  expect(json.sources[0]).toMatchObject({ path: 'lib/garden/water.ts', lines: '1' });
});

test('what uses another file of its package without an import is told with the line that names it', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'go.mod': 'module example.org/depot\n\ngo 1.22\n',
      'depot/crane.go': 'package depot\n\nfunc LiftCrate() int { return 1 }\n',
      'depot/yard.go': 'package depot\n\nfunc Unload() int { return LiftCrate() }\n',
    },
    message: 'feat: unload crates',
  });
  const { json } = await ask(architecture, 'Does depot/yard.go depend on depot/crane.go?');

  expect(json.answer).toMatch(/`depot\/yard\.go` depends on `depot\/crane\.go` in 1 step \[1\]/);
  expect(json.sources[0]).toMatchObject({ path: 'depot/yard.go', lines: '3' });
});

test('a package that is called like a file of the folder is not its import', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'dock/regexp.go': 'package dock\n\nfunc matchCrate() bool { return true }\n',
      'dock/dock.go':
        'package dock\n\nimport (\n\t"regexp"\n)\n\nvar crate = regexp.MustCompile("c")\n\nfunc Land() bool { return matchCrate() }\n',
    },
    message: 'feat: land crates',
  });
  const { json } = await ask(architecture, 'Does dock/dock.go depend on dock/regexp.go?');

  expect(json.sources[0]).toMatchObject({ path: 'dock/dock.go', lines: '9' });
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

  const apart = await ask(architecture, 'Which files change together although they do not import each other?');
  expect(apart.json.answer).toMatch(/src\/terms\.ts changed together/);
  expect(apart.json.answer).not.toMatch(/src\/(?:cart|price)\.ts and src\/(?:cart|price)\.ts/);
});

test('who uses a type is told of the type and not of its constructor', async () => {
  await shop.bench.commitAndIndex({
    files: {
      'src/WoodenCrate.java': 'public class WoodenCrate {\n  WoodenCrate(int size) {}\n}\n',
      'src/Truck.java': 'public class Truck {\n  WoodenCrate first;\n}\n',
    },
    message: 'feat: carry crates',
  });
  const { json } = await ask(architecture, 'What uses the class WoodenCrate?');

  expect(json.answer).toMatch(/^1 file depends on `WoodenCrate`: src\/Truck\.java \[1\]/);
});

test('files that change most often come by their changes, hotspots by how complex they are too', async () => {
  const branches = Array.from({ length: 30 }, (_, at) => `  if (n === ${at}) return ${at};\n`).join('');
  for (const count of [1, 2, 3, 4, 5, 6])
    await shop.bench.commitAndIndex({
      files: {
        'src/often.ts': `export const plain = ${count};\n`,
        ...(count < 6 && {
          'src/knot.ts': `export function knot(n: number): number {\n${branches}  return ${count};\n}\n`,
        }),
      },
      message: `feat: change ${count}`,
    });
  const often = await ask(architecture, 'Which files change most often?');
  const risky = await ask(architecture, 'Which files are hotspots?');

  expect(often.json.answer).toMatch(/^- src\/often\.ts: 6 changes/);
  expect(risky.json.answer).toMatch(/^- src\/knot\.ts: 5 changes/);
});

const changeStamps = (count: number): Promise<unknown> =>
  shop.bench.commitAndIndex({
    files: { 'src/stamps.ts': `export const stamps = ${count};\n` },
    message: `feat: ${count}`,
    date: `2026-01-0${count}T12:00:00Z`,
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

  // Two changes say nothing either, three do.
  await changeStamps(4);
  await changeStamps(5);
  expect((await ask(architecture, 'Is src/stamps.ts a hotspot?')).json.answer).toMatch(/^src\/stamps\.ts: 5 changes/);
  await changeStamps(6);
  expect((await ask(architecture, 'Is src/stamps.ts a hotspot?')).json.answer).toMatch(/^src\/stamps\.ts: 3 changes/);
});
