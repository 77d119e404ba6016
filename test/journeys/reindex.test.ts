import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type TestRepository, testRepository } from '../../src/testing/git.ts';
import { eventually, startCommand, startSvc, svc, svcJson, temporaryFolder } from './service-process.ts';
import { addRepository } from './standing-state.ts';

const FILES = {
  'src/mail.ts': 'export function sendMail(to: string): boolean {\n  return to.includes("@");\n}\n',
  'src/order.ts':
    'import { sendMail } from "./mail.ts";\n\nexport const order = (): boolean => sendMail("first@example.org");\n',
  'src/shop.py': 'def total(prices):\n    return sum(prices)\n',
  'README.md': '# Shop\n',
};

/** A repository that is removed after the test. */
function shop(files: Record<string, string> = FILES): TestRepository {
  const repository = testRepository([{ files }]);
  onTestFinished(() => repository.remove());
  return repository;
}

test('a watched checkout is added, and indexed again after each commit', async () => {
  const repository = shop();
  const args = ['index', 'src', '--watch', '--data-dir', join(temporaryFolder(), 'data')];
  const command = startCommand(args, { cwd: repository.path });
  let out = '';
  command.stdout?.setEncoding('utf8').on('data', (part: string) => (out += part));
  const ended = once(command, 'close');
  onTestFinished(() => void command.kill('SIGTERM'));

  await eventually(() => out.includes('\n'));
  const commit = repository.commit({ files: { 'src/shop.py': 'def total(prices):\n    return 0\n' } });
  await eventually(() => out.split('\n').length > 2);
  command.kill('SIGINT');
  await ended;

  const lines = out.trim().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(/ main ready · 4 files, 4 symbols .+ · parsed 4, reused 0/);
  expect(lines[1]).toContain(`@${commit.slice(0, 7)} main ready`);
  // What was saved may have been read before it was committed.
  expect(lines[1]).toMatch(/parsed (?:1, reused 3|0, reused 4)/);
});

const DAMAGES: [string, (file: string) => void][] = [
  [
    'altered',
    (file) => {
      const content = readFileSync(file);
      content[content.length >> 1] = (content[content.length >> 1] ?? 0) ^ 1;
      writeFileSync(file, content);
    },
  ],
  ['cut-off', (file) => truncateSync(file, 5_000)],
  ['deleted', (file) => rmSync(file)],
];

/** Indexes a repository after each of two changes and once more, which says how much was parsed. Leaves none. */
async function indexChanges(dataDir: string): Promise<void> {
  const repository = shop();
  const options = { cwd: repository.path };
  const data = ['--data-dir', dataDir];
  const index = async (): Promise<string> => (await svc(['repo', 'index', 'shop', '--wait', ...data], options)).out;
  await svc(['repo', 'add', '.', '--name', 'shop', '--wait', ...data], options);

  repository.commit({ files: { 'src/mail.ts': `${FILES['src/mail.ts']}export const sent = 1;\n` } });
  const changed = await index();
  repository.commit({ files: { 'src/total.py': FILES['src/shop.py'], 'src/shop.py': undefined } });
  const moved = await index();
  const unchanged = await index();
  await svc(['repo', 'remove', 'shop', ...data], options);

  // The heading of the README is a symbol as well, and its text is parsed.
  expect(changed).toMatch(
    /^shop@\w{7} main ready · 4 files, 5 symbols · .+ · parsed 1, reused 3, read 1 commit( at \d+ commits\/s)? in \d+\.\d s\n$/,
  );
  expect(moved).toMatch(/ · parsed 0, reused 4, read 1 commit/);
  expect(unchanged).toMatch(/ · parsed 0, reused 4 in /);
}

test('a re-index parses only what changed, and says how much; an index file that was altered, cut off or deleted is never served, but built again', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  const options = { cwd: dirname(dataDir) };
  const data = ['--data-dir', dataDir];
  const before = await startSvc(['serve', ...data], options);
  await indexChanges(dataDir);
  const standing = blobsIn(dataDir);
  const { key } = await svcJson<{ key: string }>(['key', 'create', '--name', 'one', ...data], options);
  const blobsOf = new Map<string, string[]>();
  for (const [name] of DAMAGES) {
    const earlier = [standing, ...blobsOf.values()].flat();
    // Files that are alike in two repositories are one.
    const { path } = shop({ ...FILES, [`${name}.txt`]: name });
    await addRepository(dataDir, { url: path, name });
    blobsOf.set(
      name,
      blobsIn(dataDir).filter((file) => !earlier.includes(file)),
    );
  }
  await before.end();
  for (const [name, damage] of DAMAGES) for (const file of blobsOf.get(name) ?? []) damage(file);
  const service = await startSvc(['serve', ...data], options);

  const asking = DAMAGES.map(async ([name]) => {
    return { name, ...(await askUntilFresh(service.url, { key, repo: name })) };
  });

  for (const { name, first, answers } of await Promise.all(asking)) {
    expect({ name, ...first }).toMatchObject({
      name,
      status: 409,
      body: { error: { message: expect.stringMatching(/is being rebuilt\.$/) } },
    });
    // What it answers before the run has ended is right too, and says that one is under way.
    const totals = answers.filter(({ status }) => status === 200).map(({ body }) => body['total']);
    expect({ name, totals: new Set(totals) }).toEqual({ name, totals: new Set([2]) });
    const files = blobsOf.get(name) ?? [];
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(existsSync(file)).toBe(true);
  }
});

interface Answered {
  status: number;
  body: Record<string, unknown>;
}

/** Asks for usages until the index is fresh: the first answer, and all of them. */
async function askUntilFresh(
  url: string,
  { key, repo }: { key: string; repo: string },
): Promise<{ first: Answered; answers: Answered[] }> {
  const ask = async (): Promise<Answered> => {
    const response = await fetch(`${url}/v1/tools/code-tool`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'usages', symbol: 'sendMail', repo }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const first = await ask();
  const answers = [first];
  await eventually(async () => {
    const answer = await ask();
    answers.push(answer);
    return (answer.body['index'] as { behind?: number } | undefined)?.behind === 0;
  });
  return { first, answers };
}

/** The shards of all repositories. */
function blobsIn(dataDir: string): string[] {
  const names = readdirSync(join(dataDir, 'blobs'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => /^\w\w\/\w{64}$/.test(name)).map((name) => join(dataDir, 'blobs', name));
}
