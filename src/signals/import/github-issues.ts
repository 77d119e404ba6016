import { ServiceError } from '../../kernel/errors.ts';
import { parseJson } from '../../kernel/json.ts';
import { type NetAnswer, netRequest } from '../../platform/net.ts';
import type { ImportRecord } from './import-file.ts';
import { CHANGE_PAGE, pagesByChange } from '../pages-by-change.ts';

const REPOSITORY = /^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/;
const TIMEOUT_MS = 30_000;
/** GitHub answers with this when a client asks too much, beside 429. */
const FORBIDDEN = 403;

export interface GitHubIssues {
  /** `owner/name`. */
  repository: string;
  /** Another address than that of github.com, for a GitHub of one's own. It may lie in a private network. */
  api: string;
  /** Without one only public repositories can be read, 60 requests an hour. */
  token: string | undefined;
  state: 'open' | 'closed' | 'all';
  /** Only issues that changed since. */
  since: Date | undefined;
}

/**
 * The issues of a repository page by page, oldest change first, as GitHub's REST interface gives them; pull requests are
 * among them. Each page begins at the change with which the one before ended: an issue that changes meanwhile comes again
 * instead of moving another one to a page that was read. Reading goes on where it stopped when `since` is the time of the
 * last one.
 *
 * @throws ServiceError `bad_argument` for a name or address that cannot be, `not_found`, `invalid_key` for a token that
 * is refused, `rate_limited` with the time from which on it goes on, `upstream_failed`.
 */
export async function* readGitHubIssues(request: GitHubIssues): AsyncGenerator<ImportRecord[]> {
  const { repository, api, token, state } = request;
  if (!REPOSITORY.test(repository))
    throw new ServiceError('bad_argument', `"${repository}" is not the name of a GitHub repository.`, {
      fix: 'Write it as owner/name.',
    });
  const host = URL.parse(api)?.hostname ?? '';
  const policy = { privateHosts: new Set([host.toLowerCase()]), timeoutMs: TIMEOUT_MS };
  const pages = pagesByChange(request.since?.toISOString() ?? '', async ({ since, page }) => {
    const order = { state, sort: 'updated', direction: 'asc', per_page: String(CHANGE_PAGE), page };
    const query = new URLSearchParams({ ...order, ...(since !== '' && { since }) });
    const answer = await netRequest(policy, {
      method: 'GET',
      url: `${api.replace(/\/$/, '')}/repos/${repository}/issues?${query.toString()}`,
      headers: { accept: 'application/vnd.github+json', 'user-agent': 'svc' },
      ...(token !== undefined && { secretHeaders: { authorization: `Bearer ${token}` } }),
    });
    return issuesOf(answer, request);
  });
  for await (const { records } of pages) yield records;
}

function issuesOf(answer: NetAnswer, { repository, token }: GitHubIssues): ImportRecord[] {
  const { status, text, headers } = answer;
  if (status === 401)
    throw new ServiceError('invalid_key', 'GitHub does not accept this token.', {
      fix: 'Set GITHUB_TOKEN to a valid one.',
    });
  if (status === 429 || (status === FORBIDDEN && headers['x-ratelimit-remaining'] === '0'))
    throw new ServiceError('rate_limited', `GitHub is refusing further requests ${whenOf(answer)}.`, {
      fix: `What was read so far is imported; repeat the command after that${token === undefined ? ', or set GITHUB_TOKEN' : ''}.`,
    });
  if (status === 404 || status === FORBIDDEN || status === 410)
    throw new ServiceError('not_found', `GitHub shows no issues of ${repository}.`, {
      fix: 'Check the name; for a private repository set GITHUB_TOKEN to one that may read its issues.',
    });
  const issues = status === 200 ? parseJson(text) : undefined;
  if (!Array.isArray(issues))
    throw new ServiceError('upstream_failed', `GitHub answered with status ${status} and no list of issues.`, {
      fix: 'Check --api, or repeat the command later.',
    });
  return issues as ImportRecord[];
}

function whenOf({ headers }: NetAnswer): string {
  const reset = Number(headers['x-ratelimit-reset']);
  if (Number.isFinite(reset)) return `until ${new Date(reset * 1_000).toISOString()}`;
  const seconds = Number(headers['retry-after']);
  return Number.isFinite(seconds) ? `for ${seconds} s` : 'for a while';
}
