import { afterAll, beforeAll, expect, test } from 'vitest';
import { allOperations } from '../testing/all-operations.ts';
import { openSearchBench, type SearchBench } from '../testing/search.ts';

const SECOND = 'Second Author <second@example.org>';
const BOT = 'renovate[bot] <bot@renovateapp.com>';

/** An office whose layers are api, core and store, with one import that goes up. */
const OFFICE = {
  'package.json': '{ "name": "office", "dependencies": { "zod": "4" } }',
  'docs/office.rst': "Office\n======\n\n    import { z } from 'zod';\n",
  'README.md': "# Office\n\n    import { z } from 'zod';\n",
  'src/api/routes.ts':
    "import { z } from 'zod';\nimport { placeOrder } from '../core/orders.ts';\nexport const route = () => placeOrder(z.string().parse('1'));\n",
  'src/api/pages.ts': "import { listOrders } from '../core/orders.ts';\nexport const page = () => listOrders();\n",
  'src/core/orders.ts': [
    "import { z } from 'zod';",
    "import { save } from '../store/db.ts';",
    "import { Status } from './status.ts';",
    'export const Order = z.string();',
    'export function placeOrder(id: string): string {',
    '  if (id === Status.closed) return id;',
    '  return save(id, Status.open);',
    '}',
    'export function listOrders(): string {',
    "  return save('', Status.open);",
    '}',
    '',
  ].join('\n'),
  'src/core/status.ts': "export enum Status {\n  open = 'open',\n  closed = 'closed',\n}\n",
  // What a comment quotes is no import.
  'src/core/zodiac.ts':
    "/**\n * import { z } from 'zod';\n */\nimport { signs } from 'zodiac';\nexport const sign = signs[0];\n",
  'test/pages.test.ts':
    "import { page } from '../src/api/pages.ts';\nimport { z } from 'zod';\ntest('page', () => z.string().parse(page()));\n",
  'test/journal_test.go':
    'package main\n\nimport (\n\t"fmt"\n\n\tjournal "github.com/acme/go-journal/v2/write"\n)\n\nfunc main() {\n\tfmt.Println(journal.All, []string{\n\t\t"github.com/acme/go-journal",\n\t})\n}\n',
  'src/store/db.ts': [
    'import type { Order } from',
    "  '../core/orders.ts';",
    "import { audit } from './audit.ts';",
    'export function save(id: string, status: string): string {',
    '  return audit(id + status);',
    '}',
    'export type Saved = typeof Order;',
    '',
  ].join('\n'),
  'src/store/audit.ts':
    "import { save } from './db.ts';\nexport const audit = (id: string): string => (id === '' ? save(id, '') : id);\n",
  'src/store/clean.ts': "import { listOrders } from '../core/orders.ts';\nexport const clean = () => listOrders();\n",
  'lib/till.rb':
    'class Till\n  def charge_card\n  end\nend\n\nclass Shop\n  def sell(desk)\n    desk.charge_card\n  end\nend\n' +
    'class Drawer\n  def open_lid\n  end\n  def close\n    open_lid\n  end\nend\n\nclass Cashier\n  def work(drawer)\n    drawer.open_lid\n  end\nend\n',
};

let bench: SearchBench;

beforeAll(async () => {
  bench = await openSearchBench();
  bench.repository.commit({ files: OFFICE, message: 'feat: open the office' });
  for (let count = 1; count <= 6; count += 1)
    bench.repository.commit({
      files: {
        'src/core/orders.ts': `${OFFICE['src/core/orders.ts']}// ${count}\n`,
        'src/api/routes.ts': `${OFFICE['src/api/routes.ts']}// ${count}\n`,
      },
      message: `feat: change orders ${count}`,
      ...(count % 3 === 0 && { author: SECOND }),
    });
  bench.repository.commit({ files: { 'package.json': '{ "name": "office" }' }, message: 'chore: update', author: BOT });
  await bench.commitAndIndex({ files: { 'docs/notes.md': '# Notes\n' }, message: 'docs: notes' });
});
afterAll(() => bench.close());

interface BriefJson {
  answer: string;
  confidence: string;
  read: { absent: { word: string }[] };
}

async function ask(question: string): Promise<BriefJson> {
  const agent = allOperations(bench).find(({ name }) => name === 'ask_codeIntelligenceAgent');
  if (agent === undefined) throw new Error('There is no agent.');
  const { json } = await bench.call(agent, { message: question });
  return json as unknown as BriefJson;
}

test('words that say what is computed are not missed in the code, and what is computed is sure', async () => {
  const { read, confidence } = await ask('Are there circular imports, frankly?');

  expect(read.absent.map(({ word }) => word)).toEqual(['frankly']);
  expect(confidence).toBe('high');
});

test.each([
  [
    'Who owns src/core/orders.ts?',
    /^7 commits of 2 authors changed src\/core\/orders\.ts, most first: First Author \(5\), Second Author \(2\) /,
  ],
  [
    'Who wrote most of it?',
    /^8 commits of 2 authors changed the repository, besides 1 by bots, most first: First Author \(6\), Second Author \(2\) /,
  ],
  [
    'What are the hotspots?',
    /^Hotspots of 12 months to 2026-01-01, the hottest first: src\/core\/orders\.ts \(7 changes, complexity \d+\), src\/api\/routes\.ts \(7 changes, /,
  ],
  [
    'Which files change together with src/core/orders.ts?',
    /^Files that changed together with src\/core\/orders\.ts in 12 months to 2026-01-01, without bots and commits of more than 30 files: src\/api\/routes\.ts \(7 of its 7 commits\) \[1\]\.$/,
  ],
  [
    'Which files change together with src/store/audit.ts?',
    /^No file changed together with src\/store\/audit\.ts more than once in the whole history /,
  ],
  [
    'Which layers are there?',
    /^Layers that the imports show, from the top down: api \(2 files\) > store \(3 files\) > core \(3 files\) > lib \(1 file\) .*\nImports go up between 1 pair of layers: core to store \(1, as src\/core\/orders\.ts imports src\/store\/db\.ts\) /,
  ],
  // Types close another circle, which is none at run time.
  [
    'Are there circular imports?',
    /^1 circle of imports at run time: src\/store\/audit\.ts, src\/store\/db\.ts \[1\]\.$/,
  ],
  [
    'Is src/api/routes.ts part of a circular import?',
    /No circle of imports at run time goes through src\/api\/routes\.ts /,
  ],
  // Neither the prose that quotes the import nor a package whose name begins so; tests come last.
  [
    'Which files import the package zod?',
    /^3 files import the package zod: src\/api\/routes\.ts, src\/core\/orders\.ts, test\/pages\.test\.ts \[1\]\[2\]\[3\]\.$/,
  ],
  ['Are there circular imports in zod?', /^1 circle of imports at run time: /],
  // What imports a part of it does not import the package.
  ['Which files import the package go-journal?', /^(?!\d+ files? import)/],
  [
    'Which files import github.com/acme/go-journal?',
    /^1 file imports the package github\.com\/acme\/go-journal: test\/journal_test\.go \[1\]\.$/,
  ],
  [
    'Who calls `charge_card`?',
    /^No use of charge_card is resolved; its name occurs 1 time in 1 file, which may be another: lib\/till\.rb:8 /,
  ],
  [
    'Where is `open_lid` used?',
    /^open_lid is used 1 time in 1 file: lib\/till\.rb:15; its name occurs 1 more time without being resolved \[1\]\.$/,
  ],
  ['Where is `Status.closed` used?', /^Status\.closed is used 1 time in 1 file: src\/core\/orders\.ts:6 \[1\]\.$/],
  [
    'Who uses `save`?',
    /^save is used 5 times in 2 files: src\/core\/orders\.ts:2,7,10, src\/store\/audit\.ts:1,2 \[1\]\[2\]\.$/,
  ],
  // The import of types is on two lines.
  [
    'Does src/store/db.ts depend on src/core/orders.ts?',
    /^src\/store\/db\.ts depends on src\/core\/orders\.ts in 1 step: src\/store\/db\.ts imports src\/core\/orders\.ts \(types only\) \[1\]\.\nsrc\/core\/orders\.ts depends on src\/store\/db\.ts in 1 step: src\/core\/orders\.ts imports src\/store\/db\.ts \[2\]\.$/,
  ],
  [
    'What breaks if I change `save`?',
    /^A change of save reaches \d+ places within two hops, 3 of them directly: placeOrder \(src\/core\/orders\.ts\), listOrders \(src\/core\/orders\.ts\), audit \(src\/store\/audit\.ts\); no test file is among them /,
  ],
])('%s', async (question, answer) => {
  expect((await ask(question)).answer).toMatch(answer);
});
