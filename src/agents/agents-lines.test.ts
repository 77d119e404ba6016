import { beforeAll, expect, test } from 'vitest';
import { useRefundBench } from '../testing/refunds.ts';

const { shop, ask } = useRefundBench();

const code = 'ask_architectureInvestigationAgent';

const QUEUE = `const DEFAULT_PARCEL_WEIGHT = 30;

export const ERR_NO_CARRIER = 'no carrier takes this parcel';

export class ParcelQueue {
  push(parcel: Parcel): void {
    const weight = parcel.weight ?? DEFAULT_PARCEL_WEIGHT;
    if (this.parcels.length > this.most) {
      this.dropOldest();
    }
    this.parcels.push(parcel);
  }

  dropOldest(): void {
    // A parcel that waits longest is sent by hand.
    this.parcels.shift();
  }
}

export const queue = new ParcelQueue();

export function push(parcel: Parcel): void {
  queue.push(parcel);
}
`;
const SETTINGS = `export function port(): string {
  return process.env.PARCEL_PORT ?? process.env['PARCEL_FALLBACK'] ?? '80';
}
`;

beforeAll(async () => {
  await shop.bench.commitAndIndex({
    files: {
      'src/parcels/queue.ts': QUEUE,
      'src/parcels/settings.ts': SETTINGS,
      'parcels.conf': 'courier_limit = 7\n',
      'docs/couriers.md': 'The pause of couriers after lunch is optional. **Default:** 9 minutes.\n',
      'CHANGELOG.md': 'The pause of couriers after lunch has a default of 8 minutes.\n',
    },
    message: 'feat: queue parcels',
  });
  await shop.bench.commitAndIndex({
    files: { 'src/carriers/pigeon.ts': 'export const PIGEON = 1;\n', 'src/carriers/pigeon.test.ts': 'export {};\n' },
    message: 'feat: add pigeon carrier of parcels',
  });
});

test('who asks for a value is told the line that gives it before anything else', async () => {
  const { json } = await ask(code, 'What is the default weight of a parcel?');

  expect(json.answer).toMatch(
    /^The code says:\n- src\/parcels\/queue\.ts:1\b.*: `(?:const )?DEFAULT_PARCEL_WEIGHT = 30;?` \[1\]/,
  );
  expect(json.sources[0]).toMatchObject({ path: 'src/parcels/queue.ts', lines: '1' });
});

test('what a file of settings gives by default is told too', async () => {
  const { json } = await ask(code, 'What is the default courier limit of parcels?');

  expect(json.answer).toContain('parcels.conf:1: `courier_limit = 7`');
});

test('what only the documentation gives by default is told from it, and not from what was so once', async () => {
  const { json } = await ask(code, 'What is the default pause of couriers after lunch?');

  expect(json.answer).toMatch(/^The code and its documentation say:\n- docs\/couriers\.md:1: `The pause of couriers/);
  expect(json.answer.split('\n\n')[0]).not.toContain('8 minutes');
});

test('who asks what happens is told the message of the code that says it', async () => {
  const { json } = await ask(code, 'What happens when no carrier takes the parcel?');

  // Lines of a place that is told anyway stand behind it.
  expect(json.answer).toMatch(/^The place to look is `ERR_NO_CARRIER`/);
  expect(json.answer).toMatch(/The code says:\n- src\/parcels\/queue\.ts:3\b.*no carrier takes this parcel/);
});

test('who asks for environment variables gets them all with their lines', async () => {
  const { json } = await ask(code, 'Which environment variables does the parcel port read?');

  expect(json.answer).toMatch(/The code reads `PARCEL_PORT` \(src\/parcels\/settings\.ts:2\) \[\d+\]/);
});

test('who asks how to add a thing is told the commits that added one, and their files, tests last', async () => {
  const { json } = await ask(code, 'How do I add another carrier of parcels?');

  expect(json.answer).toMatch(
    /^Earlier commits with such a subject:\n- \S+, .+: “feat: add pigeon carrier of parcels” changed src\/carriers\/pigeon\.ts and src\/carriers\/pigeon\.test\.ts \[1\]/,
  );
});

test('what only hands on is not told beside what does the work, and names that are shared are told whole', async () => {
  const { json } = await ask(code, 'How does `push` put a parcel into the queue?');

  expect(json.answer).toMatch(/^`ParcelQueue\.push`/);
  expect(json.answer).toContain('`push` calls `ParcelQueue.push` in src/parcels/queue.ts:23');
  expect(json.answer).not.toContain('`push` (src/parcels/queue.ts:22)');
});
