import { beforeEach, expect, test } from 'vitest';
import { putThings } from '../../knowledge/knowledge.ts';
import { useWatchBench } from '../../testing/watch-bench.ts';
import { linkChanges } from './link-changes.ts';
import { linksOf } from './links.ts';

/** The product has a feature of each of these names. */
const FEATURES = ['snapshots', 'regions', 'clusters', 'backups'];
const site = useWatchBench({
  findFeatures: async (_scope, { lists }) =>
    lists.map((texts) =>
      FEATURES.filter((name) => texts.some((text) => text.toLowerCase().includes(name))).map((title) => {
        return { id: `feature:${title}`, title };
      }),
    ),
});
const ENTRY = {
  part: '',
  kind: '',
  title: '',
  section: '',
  date: undefined,
  tags: [],
  customer: '',
  segment: '',
  source: '',
};
const SIGNALS = {
  gpu: 'GPU machines are deprecated: which regions have them and until when?',
  snapshots: 'Nobody tells how the storage of volume snapshots is billed',
  export: 'Exports as CSV are slow with many pages',
};
/** Words that many of ours say tell nothing. */
const TALK =
  'The team will use the platform of our organization for each application and service that customers ask for.';

beforeEach(async () => {
  const signals = Object.entries(SIGNALS).map(([name, text]) => {
    return { corpus: 'signals' as const, id: `sig:${name}`, entries: [{ ...ENTRY, text }] };
  });
  const decisions = ['Login', 'Logging', 'Backups', 'Clusters', 'Networks', 'Alerts'].map((title, at) => {
    return { corpus: 'decisions' as const, id: `dec:${at}`, entries: [{ ...ENTRY, title, text: TALK }] };
  });
  // Changes that were seen before are searched too, and say nothing about which words are ours.
  const changes = Array.from({ length: 9 }, (_, at) => {
    return {
      corpus: 'competitors' as const,
      id: `chg:${at}`,
      entries: [{ ...ENTRY, text: 'GPU machines, volume snapshots' }],
    };
  });
  await site.account.db
    .transaction()
    .execute((tx) => putThings(tx, site.account, [...signals, ...decisions, ...changes]));
});

/** Returns the links of a change with these texts. */
async function linked(added: string[], removed: string[] = []): Promise<string[]> {
  const change = { id: 'one', competitor: 'Acme Cloud', url: 'https://acme.example/pricing', added, removed };
  const links = await linksOf(site.knowledge, site.account, [change]);
  return (links.get('one') ?? []).map(({ id }) => id);
}

test('a change is linked to what shares the words that few of ours have, however many others it says', async () => {
  const gone = ['GPU machines', `GPUs are billed by the second. ${TALK}`, 'Regions with GPU machines: two'];

  expect(await linked([], gone)).toEqual(['sig:gpu']);
  expect(
    await linked([`${TALK} ${TALK}`, 'Volume snapshots: $0.08 a month for storage that is billed by the hour']),
  ).toEqual(['sig:snapshots']);
});

test('words that many of ours have, words that stayed and the name of the competitor link nothing', async () => {
  expect(await linked([TALK])).toEqual([]);
  expect(await linked(['Volume snapshots are billed hourly now'], ['Volume snapshots are billed hourly'])).toEqual([]);
  expect(await linked(['Acme exports, acme cloud, acme'])).toEqual([]);
});

test('features are linked after what is written, at most three, when a short text of the change names them', async () => {
  const texts = {
    added: ['Volume snapshots: $0.08 a month for storage that is billed by the hour', 'Backups', 'Regions', 'Clusters'],
    removed: [`${TALK} Snapshots, clusters and regions are for all who pay.`],
  };
  const row = { competitorId: '', pageId: '', at: site.now, kind: 'pricing', severity: 'high', summary: '' } as const;
  const change = { ...row, id: 'one', competitor: 'Acme Cloud', url: 'https://acme.example/pricing', ...texts };
  const given = {
    ...change,
    reasons: [],
    statements: [],
    owner: '',
    importance: null,
    dismissedAt: null,
    dismissedBy: null,
    beforeId: null,
    afterId: null,
  };
  const ask = async (changes: (typeof given)[]) =>
    (await linkChanges(site.competitors, site.account, { changes, signal: site.signal })).get('one');

  expect(await ask([given])).toEqual([
    { id: 'sig:snapshots', title: SIGNALS.snapshots },
    { id: 'feature:regions', title: 'regions' },
    { id: 'feature:clusters', title: 'clusters' },
    { id: 'feature:backups', title: 'backups' },
  ]);
  expect(await ask([{ ...given, added: [], removed: texts.removed }])).toEqual([]);
});
