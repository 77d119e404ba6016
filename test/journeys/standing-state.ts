import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { testRepository } from '../../src/testing/git.ts';
import { servedRepository } from './installations.ts';
import { type CommandOptions, eventually, serverFile, svc, svcJson } from './service-process.ts';

/** What the standing state holds. */
export const STANDING = { repositories: 3, signals: 500, plans: 5, decisions: 4, people: 3, keys: 10 } as const;

const SUBJECTS = {
  shop: {
    columns: ['Published on', 'Stars', 'Author', 'What they say'],
    texts: ['The parcel arrived late', 'Refunds take weeks', 'Search finds nothing', 'The basket empties itself'],
    more: ['again', 'for the third time', 'and nobody answers', 'since the update'],
  },
  karte: {
    columns: ['Datum', 'Sterne', 'Kunde', 'Wortlaut'],
    texts: [
      'Die Karte lädt nicht',
      'Die Route führt im Kreis',
      'Ohne Netz geht nichts',
      'Die Suche findet die Straße nicht',
    ],
    more: ['schon wieder', 'seit dem Update', 'und niemand antwortet', 'auf dem neuen Telefon'],
  },
  banque: {
    columns: ['date', 'note', 'client', 'texte'],
    texts: [
      'Le virement est en retard',
      'La carte est refusée',
      'Impossible de me connecter',
      'Les frais sont trop élevés',
    ],
    more: ['encore une fois', 'depuis la mise à jour', 'et personne ne répond', 'à chaque paiement'],
  },
} as const;
const DAY_MS = 86_400_000;
const FIRST_DAY = Date.UTC(2026, 0, 1);

/** The messages about one product as its tool exports them, in its language, `count` of them. */
function exportOf({ columns, texts, more }: (typeof SUBJECTS)[keyof typeof SUBJECTS], count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const day = new Date(FIRST_DAY + at * DAY_MS).toISOString().slice(0, 10);
    const text = `${texts[at % texts.length]} ${more[Math.floor(at / texts.length) % more.length]}, no. ${at}`;
    return `${day},${1 + (at % 5)},Reader ${at % 40},"${text}"`;
  });
  return [columns.join(','), ...lines].join('\n');
}

/** Plans of one change each, in the styles of five tools, by path. */
const PLANS = {
  'retry.md': '# Retry failed mail\n\n## Goal\n\nMail arrives.\n\n## Tasks\n\n- [ ] T1 Say why `sendMail` failed\n',
  'cursor.md':
    '---\nname: Faster login\ntodos:\n  - id: a\n    content: Cache the keys\n    status: pending\n---\n\n# Plan\n',
  'specs/001-offline/spec.md': '# Offline maps\n\n## User Stories\n\nA map without a network.\n',
  'specs/001-offline/tasks.md': '# Tasks\n\n- [ ] T001 Make the folder in src/maps/\n- [ ] T002 [P] Store tiles\n',
  'openspec/changes/refunds/proposal.md': '# Refunds in a week\n\n## Why\n\nThey take weeks.\n',
  'openspec/changes/refunds/tasks.md': '## 1. Pay\n\n- [ ] 1.1 Pay back at once\n',
  'bank/tasks.json': JSON.stringify({
    master: {
      tasks: [{ id: 1, title: 'Show the fees', description: 'Before paying.', status: 'pending', dependencies: [] }],
    },
  }),
};
const PLAN_FILES = ['retry.md', 'cursor.md', 'specs/001-offline', 'openspec/changes/refunds', 'bank/tasks.json'];

const adr = (title: string, decision: string): string =>
  `# ${title}\n\n## Status\n\nAccepted\n\n## Context\n\nIt had to be chosen.\n\n## Decision\n\n${decision}\n`;
const RECORDS = {
  'adr/0001-mail-over-a-queue.md': adr('1. Mail over a queue', 'Mail goes through a queue.'),
  'adr/0002-tiles-on-disk.md': adr('2. Tiles on disk', 'Tiles are files.'),
  'adr/0003-fees-before-payment.md': adr('3. Fees before payment', 'Fees are shown before a payment.'),
};

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Sends a request to a running service as its owner. */
export async function asOwner<Body>(dataDir: string, request: string, body?: object): Promise<Body> {
  const { url, token } = serverFile(dataDir);
  const [method = '', path = ''] = request.split(' ');
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${request} answered ${response.status}: ${text}`);
  // The test says what the route promises, and looks at it.
  return JSON.parse(text) as Body;
}

/**
 * Adds a repository, and waits until it is indexed. Nobody waits for it by the service's own count, so that one process indexes
 * all that are added.
 */
export async function addRepository(dataDir: string, source: { url: string; name?: string }): Promise<void> {
  const { id } = await asOwner<{ id: string }>(dataDir, 'POST /repositories', source);
  await eventually(async () => {
    const { status } = await asOwner<{ status: string }>(dataDir, `GET /repositories/${id}`);
    if (status === 'failed') throw new Error(`${source.url} could not be indexed.`);
    return status === 'ready';
  });
}

/** Signs in as the owner, and returns what sends requests of pages. */
async function openPages(dataDir: string): Promise<<Body>(request: string, body?: object) => Promise<Body>> {
  const { url } = serverFile(dataDir);
  let cookie = '';
  const send = async <Body>(request: string, body?: object): Promise<Body> => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${url}/app/api/${path}`, {
      method,
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', cookie },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${request} answered ${response.status}: ${text}`);
    if (cookie === '') cookie = response.headers.get('set-cookie')?.split(';')[0] ?? '';
    // The test says what the route promises, and looks at it.
    return JSON.parse(text) as Body;
  };
  const link = await asOwner<{ url: string }>(dataDir, 'POST /login-link');
  await send('POST sign-in/link', { token: tokenOf(link.url) });
  return send;
}

const tokenOf = (link: string): string => new URL(link).hash.slice('#token='.length);

/** Invites people, and accepts for them. */
async function invitePeople(dataDir: string): Promise<void> {
  const send = await openPages(dataDir);
  for (const [name, role] of [
    ['Ada', 'admin'],
    ['Grace', 'member'],
    ['Lin', 'viewer'],
  ]) {
    const { url } = await send<{ url: string }>('POST invitations', { role, email: `${name}@example.org` });
    await send('POST invitations/accept', { token: tokenOf(url), name, password: 'correct horse battery' });
  }
}

/** Two repositories beside the one that a server has: each in a language of its own. */
function moreRepositories(): { name: string; url: string }[] {
  const sources = {
    karte: { 'karte/route.py': 'def route(start, goal):\n    return [start, goal]\n', 'karte/__init__.py': '' },
    banque: { 'go.mod': 'module banque\n', 'pay.go': 'package banque\n\nfunc Pay(cents int) int { return cents }\n' },
  };
  return Object.entries(sources).map(([name, files]) => {
    const repository = testRepository([
      { files },
      { files: { 'README.md': `# ${name}\n` }, message: 'docs: say its name' },
    ]);
    onTestFinished(() => repository.remove());
    return { name, url: repository.path };
  });
}

/**
 * Fills a running service as its users do: three repositories, 500 messages about three products in three languages, plans in
 * five styles, decisions, a document, a competitor, three people and ten keys. Returns the first key.
 */
export async function fillStandingState(options: CommandOptions & { dataDir: string }): Promise<string> {
  const { cwd, dataDir } = options;
  writeFiles(cwd, { ...PLANS, ...RECORDS, 'refunds.md': '# Refunds\n\nA refund is paid within three walrus days.\n' });
  for (const [index, [product, subject]] of Object.entries(SUBJECTS).entries())
    writeFileSync(join(cwd, `${product}.csv`), exportOf(subject, index === 2 ? 164 : 167));

  for (const source of [{ url: await servedRepository() }, ...moreRepositories()]) await addRepository(dataDir, source);
  await svcJson(['doc', 'add', 'refunds.md'], options);
  await svcJson(['plan', 'add', ...PLAN_FILES], options);
  await svcJson(['decision', 'import', 'adr'], options);
  for (const product of Object.keys(SUBJECTS)) await svcJson(['signal', 'import', `${product}.csv`], options);
  await asOwner(dataDir, 'POST /decisions', { title: 'Refunds by mail', decision: 'Refunds are announced by mail.' });
  const { ids } = await asOwner<{ ids: string[] }>(dataDir, 'POST /signals', {
    signals: [{ text: 'The export of invoices is broken.' }, { text: 'Invoices cannot be exported.' }],
  });
  for (const id of ids) await asOwner(dataDir, `PUT /signals/${id}/theme`, { label: 'Invoices stay inside' });
  await asOwner(dataDir, 'POST /competitors', { name: 'Rival', site: 'https://rival.example' });
  await invitePeople(dataDir);
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'key 1'], options);
  for (let at = 2; at <= STANDING.keys; at += 1) await asOwner(dataDir, 'POST /api-keys', { name: `key ${at}` });
  await eventually(async () => (await svc(['texts', 'walrus'], options)).out.includes('walrus'));
  return key;
}

/** Counts what a running service has of the standing state. */
export async function countStandingState(dataDir: string): Promise<Record<keyof typeof STANDING, number>> {
  const get = <Body>(path: string): Promise<Body> => asOwner<Body>(dataDir, `GET ${path}`);
  const { repositories } = await get<{ repositories: unknown[] }>('/repositories');
  const { total: signals } = await get<{ total: number }>('/signals?limit=1');
  const { plans } = await get<{ plans: unknown[] }>('/plans');
  const { decisions } = await get<{ decisions: unknown[] }>('/decisions');
  const { keys } = await get<{ keys: { name: string }[] }>('/api-keys');
  const { members } = await (await openPages(dataDir))<{ members: unknown[] }>('GET members');
  return {
    repositories: repositories.length,
    signals,
    plans: plans.length,
    decisions: decisions.length,
    // Beside the owner.
    people: members.length - 1,
    keys: keys.filter(({ name }) => name.startsWith('key ')).length,
  };
}
