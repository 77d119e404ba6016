import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { type Collected, collect } from './collect.ts';

interface Found {
  documents?: readonly { path: string; text: string; heading?: string }[];
  commits?: readonly string[];
}

/** Asks one corpus over documents and commits that every search finds; the calls of searches besides. */
async function collectFrom(corpus: 'documents' | 'commits', about: string, found: Found, before: string[] = []) {
  const documents = found.documents ?? [];
  const commits = found.commits ?? [];
  const answers: Record<string, (args: Readonly<Record<string, unknown>>) => readonly object[]> = {
    'search-tool': () => documents.map(({ path }, at) => ({ corpus: 'documents', id: `doc:${at}`, path, score: 1 })),
    'document-search-tool': ({ query }) => documents.slice(Number(String(query).slice(4))).slice(0, 1),
    'commit-tool': () =>
      commits.map((subject, at) => ({
        id: `c:${at}`,
        sha: `${at}`,
        subject,
        author: 'Ada',
        date: `2024-01-0${at + 1}`,
      })),
  };
  const { tools, asked } = scriptedTools((name, args) => answers[name]?.(args) ?? []);
  const collected: Collected = await collect(
    tools,
    { about, asked: about, corpus, before, others: before },
    { effort: 'standard', since: undefined },
  );
  return { said: collected.claims.map(({ said }) => said), searches: asked.map(({ args }) => args) };
}

test('a document that has one of several words says nothing of the question', async () => {
  const documents = [
    { path: 'a.md', text: 'The queue of the office is long on Mondays.' },
    { path: 'b.md', text: 'The queue of mails is emptied at night.' },
  ];

  expect((await collectFrom('documents', 'How is the queue of mails filled?', { documents })).said).toEqual([
    'The queue of mails is emptied at night.',
  ]);
  expect((await collectFrom('documents', 'How is the queue done?', { documents })).said).toHaveLength(1);
});

test('what became of something stands in lists of changes, and in all of the history', async () => {
  const documents = [
    { path: 'guide.md', text: 'The Excel export is made by the queue at night.' },
    { path: 'CHANGELOG.md', text: 'The xlsx export has as many rows as there are.' },
  ];
  const about = 'What changed about the Excel export over time?';
  const { said } = await collectFrom('documents', about, { documents });
  const { searches } = await collectFrom('commits', about, {});
  const { searches: ofWork } = await collectFrom('commits', 'How is the Excel export made?', {});

  expect(said).toEqual(['The xlsx export has as many rows as there are.']);
  expect(searches[0]).toMatchObject({ since: '50y' });
  expect(ofWork[0]).toMatchObject({ since: '10y' });
});

test('a commit must have what a part asks by itself', async () => {
  const commits = ['select by class names', 'select by class faster, for performance'];
  const about = 'what changed about the performance of class selection?';

  expect((await collectFrom('commits', about, { commits }, ['How are class selections made?'])).said).toEqual(
    commits.slice(1),
  );
  expect((await collectFrom('commits', about, { commits })).said).toEqual(commits);
});

test('a commit that has two neighbouring words of a long part is told when none has most of them, also written as one word', async () => {
  const commits = ['Remove the queue', 'Rewrite livemails with polling', 'Describe mails', 'Mark clients as changed'];
  const about = 'how has the way live mails notice changed banks and clients changed over the years?';

  expect((await collectFrom('commits', about, { commits })).said).toEqual(commits.slice(1, 2));
  expect(
    (
      await collectFrom('commits', about, {
        commits: ['Remove the queue', 'Describe mails', 'Mark clients as changed'],
      })
    ).said,
  ).toEqual([]);
});

test('the sentences behind the one that says most are told when they stand in its paragraph', async () => {
  const about = 'what is documented about live mails of shops?';
  const said = async (text: string): Promise<string[]> =>
    (await collectFrom('documents', about, { documents: [{ path: 'a.md', text }] })).said;

  expect(await said('Live mails of shops are\nsent at once. They are kept for a day.')).toEqual([
    'Live mails of shops are\nsent at once. They are kept for a day.',
  ]);
  expect(await said('Live mails of shops are sent at once.\n\nThey are kept for a day.')).toEqual([
    'Live mails of shops are sent at once.',
  ]);
  expect(
    await said('Live mails of shops are sent at once.\n\n```\nsend --live\n```\n\nThey are kept for a day.'),
  ).toEqual(['Live mails of shops are sent at once.']);
});

test('limits are sentences that deny or limit something; a document without one has none', async () => {
  const documents = [
    {
      path: 'a.md',
      text: 'Mails of orders are sent at night.\n\nMails of orders cannot be sent twice. It is not so on Mondays.',
    },
    { path: 'b.md', text: 'Mails of orders have a sender and a subject.' },
  ];

  expect(
    (await collectFrom('documents', 'which limitations are documented of mails of orders?', { documents })).said,
  ).toEqual(['Mails of orders cannot be sent twice. It is not so on Mondays.']);
  expect(
    (await collectFrom('documents', 'what is documented about mails of orders?', { documents })).said,
    // A section is told once.
  ).toHaveLength(2);
});

test('where no document has enough of the words, the nearest one is told as such, and one that has hardly any is not', async () => {
  const about = 'How are mails of orders sent by night desks?';
  const said = async (text: string): Promise<string[]> =>
    (await collectFrom('documents', about, { documents: [{ path: 'a.md', text }] })).said;

  expect(await said('Mails are kept by desks for a day.')).toEqual(['Mails are kept by desks for a day.']);
  expect(await said('Mails are kept by shops for a day.')).toEqual([]);
});

test('a translation is told to who asks in its script alone', async () => {
  const documents = [{ path: 'a.md', text: 'Mails of orders 订单的邮件在夜间由邮局统一发送并且保存一天。' }];

  expect((await collectFrom('documents', 'How are mails of orders kept?', { documents })).said).toEqual([]);
});

test('a heading with two neighbouring words of a part answers it, with what its section begins with', async () => {
  const documents = [
    {
      path: 'a.md',
      heading: 'Shop › Live mails',
      text: 'The page fetches itself again every second. Nothing else does it. A third one is of no account.',
    },
    { path: 'b.md', heading: 'Live mails › Banks', text: 'A table has as many rows as there are.' },
  ];
  const about = 'what is documented about the way live mails notice new clients, banks and pages?';

  expect((await collectFrom('documents', about, { documents })).said).toEqual([
    'The page fetches itself again every second. Nothing else does it. A third one is of no account.',
  ]);
});

test('a section is told once, from the first passage that answers on', async () => {
  const text = 'Mails of orders wait in a queue.\n\nThe desk is red.\n\nMails of orders are sent from the queue.';
  const { said } = await collectFrom('documents', 'How does the queue send mails of orders?', {
    documents: [{ path: 'a.md', text }],
  });

  expect(said).toHaveLength(1);
});

test('documents that are not read yet are told as missing', async () => {
  const about = 'How is the queue of mails filled?';
  const facet = { about, asked: about, corpus: 'documents', before: [], others: [] } as const;
  const gapWith = async (unread: number) => {
    const { tools } = scriptedTools(() => ({ rows: [], coverage: { documents: { unread } } }));
    return (await collect(tools, facet, { effort: 'standard', since: undefined })).gap;
  };

  expect(await gapWith(22)).toBe('22 documents not read yet: ask again in a moment');
  expect(await gapWith(0)).toBeUndefined();
});
