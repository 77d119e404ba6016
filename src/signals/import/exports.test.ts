import { expect, test } from 'vitest';
import { zipOf } from '../../testing/zip.ts';
import { importRecords } from './import-file.ts';
import { textOfHtml, textOfSlack } from './markup.ts';
import { readFolder, readRecords } from './records.ts';

async function importFile(name: string, bytes: Buffer) {
  const { format, records, files = [] } = await readRecords(name, bytes);
  return { format, ...importRecords(records, {}, { files }) };
}

const MAIL = `From: =?UTF-8?Q?J=C3=B6rg_Klein?= <joerg@acme.example>
To: support@shop.example
Subject: =?ISO-8859-1?Q?R=FCckerstattung?=
Date: Thu, 1 Jan 2026 10:00:00 +0100
Message-ID: <one@acme.example>
MIME-Version: 1.0
Content-Type: multipart/alternative; boundary="b"

--b
Content-Type: text/plain; charset=windows-1252
Content-Transfer-Encoding: quoted-printable

Ich warte seit drei Wochen auf 20 =80.
--b
Content-Type: text/html; charset=utf-8

<p>Ich warte</p>
--b--
`;
const HTML_MAIL = `From: ada@gmail.com
Subject: Broken
Message-ID: <two@gmail.com>
Content-Type: text/html; charset=utf-8
Content-Transfer-Encoding: base64

${Buffer.from('<style>p{}</style><p>It &amp; that<br>is broken</p>').toString('base64')}
`;

test('a mail is read with its sender, title, date and text, in whatever set and coding it is', async () => {
  const { format, known, signals, skipped } = await importFile('a.eml', Buffer.from(MAIL));

  expect([format, known, skipped]).toEqual(['EML', 'mails', []]);
  expect(signals).toEqual([
    {
      text: 'Rückerstattung\n\nIch warte seit drei Wochen auf 20 €.',
      external_id: '<one@acme.example>',
      customer: 'Jörg Klein <joerg@acme.example>',
      date: '2026-01-01T09:00:00.000Z',
    },
  ]);
});

test('the mails of an mbox are parted where they begin, not where a text says From', async () => {
  const file = [
    'From - Thu Jan 01 10:00:00 2026',
    MAIL,
    'From ada@gmail.com Thu Jan 01 11:00:00 2026',
    HTML_MAIL,
    'From bob@gmail.com Thu Jan 01 12:00:00 2026',
    'From: bob@gmail.com\nSubject: Letters\nMessage-ID: <3>\n\n>From all of us: exports are slow.\nFrom 2026 on they must not be.\n',
    'From empty@gmail.com Thu Jan 01 12:00:00 2026',
    'From: empty@gmail.com\nMessage-ID: <4>\n\n',
  ].join('\n');

  const { format, signals, skipped } = await importFile('inbox', Buffer.from(file));

  expect(format).toBe('mbox');
  expect(signals.map(({ text }) => text.split('\n\n')[1])).toEqual([
    'Ich warte seit drei Wochen auf 20 €.',
    'It & that\nis broken',
    'From all of us: exports are slow.\nFrom 2026 on they must not be.',
  ]);
  expect(skipped).toEqual([{ line: 4, reason: 'It has no text.' }]);
});

const SLACK = {
  'users.json': JSON.stringify([{ id: 'U1', name: 'ada', profile: { real_name: 'Ada Smith' } }]),
  'channels.json': JSON.stringify([{ id: 'C1', name: 'feedback' }]),
  'feedback/2026-01-01.json': JSON.stringify([
    { type: 'message', user: 'U1', text: 'Exports are &lt;slow&gt;, <@U1>', ts: '1767261600.000100' },
    { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> has joined', ts: '1767261601.000100' },
  ]),
  'feedback/2026-01-02.json': JSON.stringify([
    { type: 'message', bot_id: 'B1', text: 'Deployed', ts: '1767348000.000100' },
    { type: 'message', user: 'U9', text: 'See <https://a.example|the page>', ts: '1767348001.000100' },
  ]),
};

test('a Slack export is read with names of people and channels, and notices are named by file and line', async () => {
  const { format, known, signals, skipped } = await importFile('export.zip', zipOf(SLACK));

  expect([format, known]).toEqual(['Slack export', 'Slack messages']);
  expect(signals).toEqual([
    {
      text: 'Exports are <slow>, @Ada Smith',
      external_id: '1767261600.000100',
      source: 'slack:feedback',
      customer: 'Ada Smith',
      date: '2026-01-01T10:00:00.000Z',
    },
    expect.objectContaining({ text: 'See the page (https://a.example)', customer: 'U9' }),
  ]);
  expect(skipped).toEqual([
    { file: 'feedback/2026-01-01.json', line: 2, reason: 'It is a notice of Slack (channel_join).' },
    { file: 'feedback/2026-01-02.json', line: 1, reason: 'It is of a bot.' },
  ]);
  const broken = { ...SLACK, 'feedback/2026-01-03.json': '[{' };
  await expect(importFile('export.zip', zipOf(broken))).rejects.toThrow('feedback/2026-01-03.json is not a list');
});

/** A table as the Play Console exports it. */
function play(text: string): Buffer {
  return Buffer.from(`\ufeffReview Text,Star Rating\n${text},2\n`, 'utf16le');
}

test('tables of one export in a ZIP are one table, others are refused by name', async () => {
  const { signals, notes } = await importFile(
    'a.zip',
    zipOf({ 'r/1.csv': play('slow'), 'r/2.csv': play('loud'), 'x.png': '' }),
  );
  expect(signals).toEqual([
    { text: 'slow', rating: 2 },
    { text: 'loud', rating: 2 },
  ]);
  expect(notes).toEqual([]);
  await expect(importFile('a.zip', zipOf({ '1.csv': 'text\na', '2.csv': 'body\nb' }))).rejects.toThrow(
    '2.csv has other columns than 1.csv.',
  );
  await expect(readFolder('empty', [])).rejects.toThrow('empty contains no file that can be imported.');
});

const DAY = '2026-01-02T03:04:05Z';
test.each<[string, object, object]>([
  [
    'GitLab issues',
    {
      iid: 3,
      web_url: 'https://gitlab.com/a/b/-/issues/3',
      title: 'Slow',
      description: 'Very',
      author: { username: 'ada' },
      labels: ['ui'],
      created_at: DAY,
    },
    {
      text: 'Slow\n\nVery',
      external_id: '3',
      source: 'gitlab:a/b',
      customer: 'ada',
      tags: ['ui'],
      link: 'https://gitlab.com/a/b/-/issues/3',
    },
  ],
  [
    'Zendesk tickets',
    {
      id: 7,
      url: 'https://acme.zendesk.com/api/v2/tickets/7.json',
      subject: 'Slow',
      description: 'Very',
      requester_id: 5,
      organization_id: 9,
      via: { channel: 'email' },
      tags: ['ui'],
      satisfaction_rating: { score: 'bad' },
      created_at: DAY,
    },
    {
      text: 'Slow\n\nVery',
      external_id: '7',
      source: 'zendesk:acme',
      customer: '9',
      tags: ['ui'],
      rating: 1,
      link: 'https://acme.zendesk.com/agent/tickets/7',
    },
  ],
  [
    'Intercom conversations',
    {
      type: 'conversation',
      id: '8',
      created_at: 1767323045,
      source: {
        subject: '',
        body: '<p>Slow &amp; loud</p>',
        author: { type: 'user', email: 'ada@acme.example' },
        url: null,
      },
      tags: { type: 'tag.list', tags: [{ name: 'ui' }] },
      conversation_rating: { rating: 4 },
    },
    {
      text: 'Slow & loud',
      external_id: '8',
      source: 'intercom',
      customer: 'ada@acme.example',
      tags: ['ui'],
      rating: 4,
    },
  ],
  [
    'App Store reviews',
    {
      type: 'customerReviews',
      id: 'r1',
      attributes: {
        rating: 2,
        title: 'Slow',
        body: 'Very',
        reviewerNickname: 'ada',
        createdDate: DAY,
        territory: 'DEU',
      },
    },
    { text: 'Slow\n\nVery', external_id: 'r1', source: 'app-store', customer: 'ada', segment: 'DEU', rating: 2 },
  ],
])('%s are known as the interface of the tool gives them', (name, record, signal) => {
  const { known, signals } = importRecords([{ ...record }], {});

  expect(known).toBe(name);
  expect(signals).toEqual([{ ...signal, date: '2026-01-02T03:04:05.000Z' }]);
});

test.each<[string, object, object]>([
  [
    'Jira issues',
    {
      'Issue key': 'SD-1',
      Summary: 'Slow',
      Description: 'Very',
      Reporter: 'ada',
      Created: '02/Jan/26 3:04 AM',
      'Custom field (Organizations)': 'Acme',
      'Custom field (Satisfaction rating)': '2',
      Labels: 'ui',
      'Labels 9': 'export',
    },
    { text: 'Slow\n\nVery', external_id: 'SD-1', customer: 'Acme', rating: 2, tags: ['ui', 'export'] },
  ],
  [
    'App Store reviews',
    { Storefront: 'DE', Title: 'Slow', Review: 'Very', Rating: '2', Nickname: 'ada', Date: '2026-01-02 03:04' },
    { text: 'Slow\n\nVery', segment: 'DE', customer: 'ada', rating: 2 },
  ],
  [
    'Productboard notes',
    {
      title: 'Slow',
      content: 'Very',
      display_url: 'https://pb.example/1',
      company_name: 'Acme',
      tags: 'ui',
      created_at: '2026-01-02 03:04',
    },
    { text: 'Slow\n\nVery', customer: 'Acme', tags: ['ui'], link: 'https://pb.example/1' },
  ],
])('tables of %s are known by their columns', (name, record, signal) => {
  const { known, signals, skipped } = importRecords([{ ...record }], {});

  expect([known, skipped]).toEqual([name, []]);
  expect(signals).toEqual([{ ...signal, date: '2026-01-02T03:04:00.000Z' }]);
});

test('what a team or a bot began is no signal', () => {
  const conversation = { type: 'conversation', id: '1', source: { body: 'Hello', author: { type: 'admin' } } };
  expect(importRecords([conversation], {})).toMatchObject({
    signals: [],
    skipped: [{ line: 1, reason: 'It was begun by the team or a bot, not by a customer.' }],
  });
});

test('markup is read as people see it', () => {
  expect(
    textOfHtml('<head><title>x</title></head><div>One</div><ul><li>two &#8364;</li><li>&bogus; &#x41;</li></ul>'),
  ).toBe('One\ntwo €\n&bogus; A');
  expect(
    textOfSlack('<!here> <#C1|general> <https://a.example> &amp; <mailto:a@b.example|a@b.example>', new Map()),
  ).toBe('@here #general https://a.example & a@b.example (mailto:a@b.example)');
});
