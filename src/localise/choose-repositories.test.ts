import { expect, test } from 'vitest';
import type { IndexedRepository, Indexes } from '../indexes/indexes.ts';
import { ServiceError } from '../kernel/errors.ts';
import { chooseRepositories } from './localise.ts';

const CALLER = { accountId: 'a', productId: 'p' };
const { signal } = new AbortController();
const SUBJECTS = new Map([
  ['mail', [term('mail', 3), term('report', 1)]],
  ['none', [term('walrus', 1)]],
]);

function term(text: string, weight: number): { term: string; weight: number } {
  return { term: text, weight };
}

function repository(number: number): IndexedRepository {
  return {
    id: `r${number}`,
    provenance: { repo: `team-${number}`, ref: 'main', commit: 'abc', index: { state: 'fresh' } },
    shard: { hash: `${number}`, sizeBytes: 1 },
    gitDir: async () => undefined,
  };
}

/** Indexes of ten symbols, of which so many have a term; `queriedHashes` names the shards that were queried. */
function indexesOf(having: Record<string, Record<string, number>>): { queriedHashes: string[]; indexes: Indexes } {
  const queriedHashes: string[] = [];
  const queryEach = async (
    _: unknown,
    [, requests]: [string, { ref: { hash: string }; args: { terms: string[] } }[]],
  ): Promise<unknown[]> =>
    requests.map(({ ref, args }) => {
      queriedHashes.push(ref.hash);
      if (having[ref.hash] === undefined) throw new ServiceError('not_indexed', 'It is gone.', { fix: 'Add it.' });
      return { documents: 10, having: args.terms.map((text) => having[ref.hash]?.[text] ?? 0), texts: [] };
    });
  return { queriedHashes, indexes: { readers: { queryEach } } as unknown as Indexes };
}

async function chosen(
  having: Record<string, Record<string, number>>,
  repositories: number,
): Promise<{ queriedHashes: string[]; mail: string[]; none: string[] }> {
  const { queriedHashes, indexes } = indexesOf(having);
  const all = Array.from({ length: repositories }, (_, number) => repository(number));
  const chosenBySubject = await chooseRepositories(
    indexes,
    { caller: CALLER, signal },
    { subjects: SUBJECTS, repositories: all },
  );
  const ids = (subject: string): string[] => (chosenBySubject.get(subject) ?? []).map(({ id }) => id);
  return { queriedHashes, mail: ids('mail'), none: ids('none') };
}

test('few repositories are all searched, and not queried first', async () => {
  const { queriedHashes, mail, none } = await chosen({}, 3);

  expect([queriedHashes, mail, none]).toEqual([[], ['r0', 'r1', 'r2'], ['r0', 'r1', 'r2']]);
});

test('of many those are searched whose code has most of the terms, by weight and then by density, each queried once', async () => {
  const having = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`${number}`, { report: 9 }]));
  Object.assign(having, { 7: { mail: 1 }, 30: { mail: 2 }, 35: { mail: 1, report: 1 }, 36: {} });
  delete having['38'];

  const { queriedHashes, mail, none } = await chosen(having, 40);

  expect(queriedHashes).toHaveLength(40);
  expect(mail.slice(0, 3)).toEqual(['r35', 'r30', 'r7']);
  expect(mail).toHaveLength(16);
  expect(mail).not.toContain('r36');
  expect(none).toEqual([]);
});
