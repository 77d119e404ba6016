import { describeAge } from '../kernel/freshness.ts';
import { visible } from '../kernel/visible.ts';
import type { Client } from './client.ts';
import type { CommandContext } from './command.ts';
import { type IndexProgress, formatNumber, ProgressLine } from './progress.ts';
import { isSameSource } from './source.ts';
import { table } from './table.ts';
import { asTyped, ownCommand } from './own-command.ts';

const POLL_MS = 200;

/** Fields that the commands read of a repository, as `GET /v1/repositories` gives it. */
export interface RepositoryJson {
  id: string;
  name: string;
  url: string;
  default_branch: string | null;
  status: 'pending' | 'indexing' | 'ready' | 'failed';
  commit: string | null;
  behind: number | null;
  freshness: string;
  fetched_at: string | null;
  fetch_result: 'new_commits' | 'no_change' | null;
  fetch_error: { message: string; fix: string; at: string } | null;
  files: number;
  symbols: number;
  languages: Record<string, number>;
  /** The commit, tag or branch that it stays at; null follows the default branch. */
  ref: string | null;
  error: { message: string; fix: string } | null;
  progress: IndexProgress | null;
  last_run: {
    parsed: number;
    reused: number;
    failed: number;
    seconds: number;
    history?: { commits: number; seconds: number };
  } | null;
}

interface AddOptions {
  name?: string;
  ref?: string;
  /** Set if a person waits for the first index, which then does not yield to other work. */
  wait?: boolean;
}

/** Adds a repository by path or URL. Paths are sent whole, because the service may run in another folder. */
export async function addRepository(client: Client, source: string, options: AddOptions): Promise<RepositoryJson> {
  const { name, ref, wait: awaited } = options;
  return client.send<RepositoryJson>('POST', '/v1/repositories', { url: source, name, ref, awaited });
}

/**
 * Requests a new index of the repository with this source; adds it when it is not there. One that stays at a ref is another
 * one. Paths are whole.
 */
export async function indexSource(client: Client, source: string): Promise<RepositoryJson> {
  const repositories = await listRepositories(client);
  const existing = repositories.find((repository) => repository.ref === null && isSameSource(repository.url, source));
  return existing === undefined
    ? addRepository(client, source, { wait: true })
    : client.send<RepositoryJson>('POST', `/v1/repositories/${existing.id}/index`);
}

/** Repositories of the product by name: all, or those with a part of a name or address, or a status. */
export async function listRepositories(
  client: Client,
  filter: { query?: string; status?: string } = {},
): Promise<RepositoryJson[]> {
  const all: RepositoryJson[] = [];
  let next: string | null = null;
  do {
    const parameters = new URLSearchParams({ ...filter, ...(next !== null && { cursor: next }) });
    const query: string = parameters.size === 0 ? '' : `?${parameters.toString()}`;
    const page = await client.send<{ repositories: RepositoryJson[]; next: string | null }>(
      'GET',
      `/v1/repositories${query}`,
    );
    all.push(...page.repositories);
    next = page.next;
  } while (next !== null);
  return all;
}

/** The repository with this id or name. @throws ServiceError of the service, naming what is nearest. */
export function findRepository(client: Client, idOrName: string): Promise<RepositoryJson> {
  return client.send<RepositoryJson>('GET', `/v1/repositories/${encodeURIComponent(idOrName)}`);
}

/**
 * Waits until the index is ready or has failed, with a progress line on standard error.
 *
 * @throws Stopped when the process is asked to end meanwhile.
 */
export async function waitForIndex(context: CommandContext, client: Client, id: string): Promise<RepositoryJson> {
  let line: ProgressLine | undefined;
  for (;;) {
    if (context.stop.aborted) line?.end();
    context.stop.throwIfAborted();
    const repository = await client.send<RepositoryJson>('GET', `/v1/repositories/${id}`);
    line ??= new ProgressLine(context, repository.name);
    if (repository.status === 'ready' || repository.status === 'failed') {
      line.end();
      return repository;
    }
    line.show(repository.progress ?? { stage: repository.status, done: 0, total: 0 }, performance.now());
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** One line about a repository: `shop@28a9c12 main ready · 412 files, 5,321 symbols · TypeScript 93% · parsed 3 …`. */
export function describeRepository(repository: RepositoryJson): string {
  const commit = repository.commit === null ? '' : `@${repository.commit.slice(0, 7)}`;
  const head =
    `${repository.name}${commit} ${repository.ref ?? repository.default_branch ?? ''} ${repository.status}`.replaceAll(
      / +/g,
      ' ',
    );
  if (repository.status === 'failed' && repository.error !== null)
    return asTyped(`${head} · ${repository.error.message} ${repository.error.fix}`);
  if (repository.commit === null) return head;
  const counts = `${formatCount(repository.files, 'file')}, ${formatCount(repository.symbols, 'symbol')}`;
  const languages = Object.entries(repository.languages)
    .toSorted(([, first], [, second]) => second - first)
    .slice(0, 3)
    .map(([language, share]) => `${language} ${Math.round(share * 100)}%`)
    .join(', ');
  return visible([head, counts, languages, describeRun(repository.last_run)].filter((part) => part !== '').join(' · '));
}

function describeRun(run: RepositoryJson['last_run']): string {
  if (run === null) return '';
  const failed = run.failed === 0 ? '' : `, ${formatNumber(run.failed)} not readable`;
  return `parsed ${formatNumber(run.parsed)}, reused ${formatNumber(run.reused)}${failed}${describeMining(run.history)} in ${run.seconds.toFixed(1)} s`;
}

/** Describes the commits that were read, and how fast where there were enough to measure. */
function describeMining(history: { commits: number; seconds: number } | undefined): string {
  if (history === undefined || history.commits === 0) return '';
  const speed =
    history.seconds < 0.1 ? '' : ` at ${formatNumber(Math.round(history.commits / history.seconds))} commits/s`;
  return `, read ${formatCount(history.commits, 'commit')}${speed}`;
}

function formatCount(count: number, singular: string): string {
  return `${formatNumber(count)} ${singular}${count === 1 ? '' : 's'}`;
}

/** Describes when a repository by address was last fetched, with what result, and why a later fetch failed; '' for a folder. */
function describeFetch(
  { fetched_at: at, fetch_result: result, fetch_error: error }: RepositoryJson,
  nowMs: number,
): string {
  return [
    ...(at === null ? [] : [`${describeAge(nowMs - Date.parse(at))} ago`]),
    ...(result === 'new_commits' ? ['new commits'] : []),
    ...(error === null ? [] : [`${at === null ? '' : 'then '}failed: ${error.message}`]),
  ].join(', ');
}

/** Describes what to enter at the host of a repository. */
export function describeWebhook({ url, secret }: { url: string; secret: string }): string {
  return [
    `Address  ${url}`,
    `Secret   ${secret} (shown only once)`,
    'GitHub   Settings, Webhooks, Add webhook: content type application/json, just the push event',
    'GitLab   Settings, Webhooks: the secret as signing token or secret token, trigger Push events and Tag push events',
    'Gitea    Settings, Webhooks, Add webhook, Gitea: POST, application/json, Push events',
  ].join('\n');
}

/** The list for people. */
export function repositoryTable(repositories: readonly RepositoryJson[], nowMs: number): string {
  if (repositories.length === 0)
    return `There are no repositories. Add one with: ${ownCommand('repo add <path-or-url>')}`;
  return table(
    ['NAME', 'STATUS', 'COMMIT', 'FRESHNESS', 'FETCHED', 'FILES', 'SYMBOLS', 'SOURCE'],
    repositories.map((repository) => [
      repository.name,
      repository.status,
      repository.commit?.slice(0, 7) ?? '',
      repository.commit === null ? '' : repository.freshness,
      describeFetch(repository, nowMs),
      String(repository.files),
      String(repository.symbols),
      repository.url,
    ]),
  );
}
