import { expect, test } from 'vitest';
import { scriptedTools } from '../../testing/scripted-tools.ts';
import { claimCommits, reasonIn } from './commit-claims.ts';

interface Given {
  /** What searches find: those for words that are not here find nothing. */
  found: Readonly<Record<string, readonly string[]>>;
  asked?: string;
  body?: string;
}

/** What commits say of a part. A later commit of a search is a newer one. */
async function tell(about: string, { found, asked = about, body = '' }: Given): Promise<string[]> {
  const { tools } = scriptedTools((_, { action, query }) =>
    action === 'show'
      ? [{ body }]
      : (found[String(query)] ?? found['*'] ?? []).map((subject, at) => ({
          id: `c:${subject}`,
          sha: subject,
          subject,
          author: 'Ada',
          date: `2024-01-${String(at + 10)}`,
        })),
  );
  const claims = await claimCommits(tools, { about, asked, before: [], others: [] }, { most: 8, since: undefined });
  return claims.map(({ text, said }) => (body === '' ? said : text));
}

const CARRIED = { asked: 'how did their format change between versions' };

test('a part that carries its subject over is answered by commits of the subject, not by those that have its own word alone', async () => {
  const about = 'how did live mails format change between versions';
  const subjects = ['format the code', 'live mails: new syntax', 'order of imports', 'format of livemails'];

  expect(await tell(about, { found: { '*': subjects }, ...CARRIED })).toEqual([
    'live mails: new syntax',
    'format of livemails',
  ]);
  expect(
    await tell('how did orders format change between versions', {
      found: { '*': ['format the code', 'new orders', 'format of orders'] },
      ...CARRIED,
    }),
  ).toEqual(['format of orders']);
});

test('of several words of a part a commit has two, however much one of them says', async () => {
  const about = 'when were watched folders introduced?';
  const { tools } = scriptedTools(() =>
    ['add folders', 'watch folders'].map((subject) => ({
      id: subject,
      sha: subject,
      subject,
      author: 'Ada',
      date: '2024-01-10',
    })),
  );
  const part = { about, asked: about, before: ['How are files watched?'], others: [] };
  const claims = await claimCommits(tools, part, { most: 8, since: undefined });

  expect(claims.map(({ said }) => said)).toEqual(['watch folders']);
});

test('two thirds of a long subject are enough, one is not', async () => {
  const about = 'how did secret night orders format change between versions';

  expect(
    await tell(about, { found: { '*': ['night orders', 'night watch', 'secret night orders'] }, ...CARRIED }),
  ).toEqual(['night orders', 'secret night orders']);
});

test('where its subject leads to nothing, a part is looked for by its own words', async () => {
  const found = { '*': [], 'glob patterns globpattern': ['faster glob patterns', 'fix imports'] };
  const asked = 'what has changed about glob patterns over time?';

  expect(await tell(`${asked.slice(0, -1)} files handed to a command?`, { found, asked })).toEqual([
    'faster glob patterns',
  ]);
});

test('where its subject leads to nothing, a part is not answered by commits that only changed something', async () => {
  const found = { 'live mails livemails': [], '*': ['Changed some words', 'change the way of banks'] };
  const middleware = { asked: 'how did it change over time?', found: { '*': ['feat: middleware', 'fix: order'] } };

  expect(await tell('how did middleware change over time?', middleware)).toEqual(['feat: middleware']);
  expect(await tell('how did live mails change over time?', { found, asked: 'how did it change over time?' })).toEqual(
    [],
  );
});

test('when something came in is told by the two oldest commits that bring it', async () => {
  const subjects = ['fix jobs in CI', 'feat: add jobs', 'support jobs in hooks', 'add more jobs', 'document jobs'];

  expect(await tell('when were jobs introduced?', { found: { '*': subjects } })).toEqual([
    'feat: add jobs',
    'support jobs in hooks',
  ]);
  expect(
    await tell('when were jobs introduced?', { found: { '*': ['jobs in CI', 'fix jobs', 'jobs again'] } }),
  ).toEqual(['jobs in CI', 'fix jobs']);
  // Commits that keep texts in order tell nothing of what changed.
  expect(await tell('what has changed about jobs?', { found: { '*': subjects } })).toEqual(subjects.slice(0, 4));
});

test('why something was done is told with what the message of the commit says', async () => {
  const given = {
    found: { '*': ['feat: add jobs'] },
    body: 'Nothing else has changed here.\n\nJobs replace commands because these had no order.',
  };

  expect(await tell('why were jobs introduced?', given)).toEqual([
    'On 2024-01-10 Ada committed “feat: add jobs” and wrote: “Jobs replace commands because these had no order.”.',
  ]);
  expect(await tell('when were jobs introduced?', given)).toEqual(['On 2024-01-10 Ada committed “feat: add jobs”.']);
});

test.each([
  [
    'a reason before another sentence',
    'Jobs are new here. Jobs keep order, so that commands can wait.',
    'Jobs keep order, so that commands can wait.',
  ],
  [
    'what shares most words without a reason',
    'The code of jobs is new. We add night jobs to hooks.',
    'We add night jobs to hooks.',
  ],
  [
    'a far better sentence before a reason',
    'We add night jobs to all hooks. It is so because jobs wait.',
    'We add night jobs to all hooks.',
  ],
  [
    'nothing of who signed or what was squashed',
    'Signed-off-by: Jobs of the night <a@b.c>\n\n* fix: add night jobs to hooks',
    undefined,
  ],
  ['nothing that speaks of something else', 'The tests were slow because of the network.', undefined],
])('of a message is told %s', (_, body, said) => {
  expect(reasonIn('add night jobs to hooks', body)).toBe(said);
});

test('a commit is told with the first version of its branch that has it, where there is one', async () => {
  const about = 'since which version are night mails there?';
  const { tools } = scriptedTools((_, { action }) =>
    action === 'changelog'
      ? [
          { version: 'v1.1', shas: ['other'] },
          { version: 'v1.2', shas: ['abc'] },
        ]
      : [{ id: 'c:abc', sha: 'abc', subject: 'add night mails', author: 'Ada', date: '2024-01-10' }],
  );
  const claims = await claimCommits(
    tools,
    { about, asked: about, before: [], others: [] },
    { most: 8, since: undefined },
  );

  expect(claims.map(({ text }) => text)).toEqual([
    'On 2024-01-10 Ada committed “add night mails”, on this branch first in v1.2.',
  ]);
});

test('what is near is told of what became of something, and not of its reason or its beginning', async () => {
  const found = { '*': ['night paper of desks', 'rows of orders'] };

  expect(await tell('how did night mails of banks in paper change over time?', { found })).toEqual([
    'night paper of desks',
  ]);
  for (const about of [
    'why do night mails of banks in paper exist?',
    'since which version are night mails of banks in paper there?',
  ])
    expect(await tell(about, { found })).toEqual([]);
});

test('of security problems no others are told, however much they are about the subject', async () => {
  const about = 'what security problems with night mails were fixed?';
  const found = { '*': ['fix night mails', 'night mails: fix CVE-1'] };
  const part = { found, asked: 'what security problems with them were fixed?' };

  expect(await tell(about, part)).toEqual(['night mails: fix CVE-1']);
  expect(await tell(about, { ...part, found: { '*': ['fix night mails'] } })).toEqual([]);
});
