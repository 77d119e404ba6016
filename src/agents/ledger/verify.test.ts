import { expect, test } from 'vitest';
import { Ledger } from './ledger.ts';
import { type PlaceReader, verifyEntries } from './verify.ts';

const MAIL = [
  'export function send(to: string) {',
  '  return post(to);',
  '}',
  '',
  'export function post(to: string) {}',
];

/** Files by path, commits and texts by id, as an index has them. */
function reader(files: Record<string, readonly string[]>, texts: Record<string, string> = {}): PlaceReader {
  return {
    lines: async (_repo, path, { start, end }) => files[path]?.slice(start - 1, end).join('\n'),
    file: async (_repo, path) => files[path]?.join('\n'),
    commit: async ({ id }) => texts[id],
    text: async ({ id }) => texts[id],
  };
}

/** An entry for lines 1 to 2 of the mail file as it was when the run read it. */
function mailEntry() {
  const text = MAIL.slice(0, 2).join('\n');
  const lines = { start: 1, end: 2 };
  return new Ledger().add({ id: 'mail.ts:1-2', kind: 'code', repo: 'shop', path: 'mail.ts', lines, text });
}

async function verdictIn(files: Record<string, readonly string[]>) {
  return (await verifyEntries([mailEntry()], reader(files))).get(1);
}

test('lines that stand where they were are verified, also with other space around', async () => {
  expect(await verdictIn({ 'mail.ts': MAIL })).toEqual({ state: 'verified' });
  expect(await verdictIn({ 'mail.ts': MAIL.map((line) => `  ${line} `) })).toEqual({ state: 'verified' });
});

test('lines near each other are read at once, and each is compared with its own', async () => {
  const file = Array.from({ length: 400 }, (_, at) => `line ${at + 1}`);
  const entry = (start: number, end: number, path = 'mail.ts') => {
    const text = file.slice(start - 1, end).join('\n');
    return { repo: 'shop', path, lines: { start, end }, id: `${path}:${start}-${end}`, kind: 'code' as const, text };
  };
  const asked: string[] = [];
  const { lines, ...rest } = reader({ 'mail.ts': file, 'post.ts': file });
  const noting: PlaceReader = {
    ...rest,
    lines: async (repo, path, range) => {
      asked.push(`${path}:${range.start}-${range.end}`);
      return lines(repo, path, range);
    },
  };
  const verdictsOf = async (places: ReturnType<typeof entry>[]) => {
    const ledger = new Ledger();
    const entries = places.map((place) => ledger.add(place));
    asked.length = 0;
    return (await verifyEntries(entries, noting)).values().toArray();
  };

  const near = [entry(10, 12), entry(1, 2), entry(73, 74), entry(1, 4, 'post.ts')];
  expect(await verdictsOf(near)).toEqual(near.map(() => ({ state: 'verified' })));
  expect(asked).toEqual(['mail.ts:1-74', 'post.ts:1-4']);
  expect(await verdictsOf([entry(10, 12), entry(74, 75)])).toHaveLength(2);
  expect(asked).toEqual(['mail.ts:10-12', 'mail.ts:74-75']);
  const [wrong, right] = await verdictsOf([{ ...entry(10, 12), text: 'line 9' }, entry(14, 15)]);
  expect([wrong?.state, right?.state]).toEqual(['moved', 'verified']);
  await verdictsOf([entry(1, 60), entry(100, 200), entry(240, 300), entry(301, 302)]);
  expect(asked).toEqual(['mail.ts:1-300', 'mail.ts:301-302']);
});

test('lines that moved are found where they are now', async () => {
  const below = ['// Mail', '', ...MAIL];

  expect(await verdictIn({ 'mail.ts': below })).toEqual({ state: 'moved', lines: { start: 3, end: 4 } });
});

test('lines that changed, that stand at two places now, or whose file is gone are missing', async () => {
  const changed = MAIL.with(1, '  return queue(to);');
  const twice = ['// Mail', ...MAIL, ...MAIL];

  expect(await verdictIn({ 'mail.ts': changed })).toMatchObject({
    state: 'missing',
    why: 'the lines of mail.ts:1-2 have changed',
  });
  expect(await verdictIn({ 'mail.ts': twice })).toMatchObject({ state: 'missing' });
  expect(await verdictIn({})).toEqual({ state: 'missing', why: 'mail.ts is not in the index' });
});

test('commits and texts have to be there and to say what is quoted', async () => {
  const ledger = new Ledger();
  const about = { repo: 'shop', text: 'Refunds go to   the card' };
  const said = ledger.add({ id: 'dec:1', kind: 'decision', ...about });
  const forged = ledger.add({ id: 'c:1a2b3c4', kind: 'commit', ...about });
  const gone = ledger.add({ id: 'doc:9', kind: 'document', ...about });
  const texts = { 'dec:1': 'We said: Refunds go\nto the card.', 'c:1a2b3c4': 'fix: a typo' };

  const verdicts = await verifyEntries([said, forged, gone], reader({}, texts));

  expect([...verdicts.values()]).toEqual([
    { state: 'verified' },
    { state: 'missing', why: 'c:1a2b3c4 does not say it' },
    { state: 'missing', why: 'doc:9 is not there' },
  ]);
});

test('one place is one entry of a ledger, and a number that nothing has is none', () => {
  const ledger = new Ledger();
  const place = { id: 'mail.ts:1-2', kind: 'code' as const, repo: 'shop', text: 'send' };

  expect([ledger.add(place).number, ledger.add(place).number, ledger.add({ ...place, repo: 'depot' }).number]).toEqual([
    1, 1, 2,
  ]);
  expect(ledger.get(3)).toBeUndefined();
});
