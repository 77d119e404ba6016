import { z } from 'zod';
import type { ImportRecord } from '../import/import.ts';
import { CHANGE_PAGE as PAGE, changedAt, pagesByChange } from '../pages-by-change.ts';
import type { SourceKind } from './context.ts';
import { askSlack, readSlack } from './read-slack.ts';
import { askSource, refusalError, type SourceAnswer, type SourceLine, type SourcePage } from './source-line.ts';

/** Reads what changed since `cursor`, which is empty the first time; `since` is where it begins then. */
type ReadPages = (line: SourceLine, from: { cursor: string; now: Date }) => AsyncGenerator<SourcePage>;

interface SourceApi {
  /** @throws ServiceError when the token or the project is not accepted. */
  check: (line: SourceLine, now: Date) => Promise<void>;
  read: ReadPages;
}

const GITHUB = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
const INTERCOM = { 'intercom-version': '2.11' };
const Records = z.array(z.record(z.string(), z.unknown()));
const Named = z.array(z.object({ id: z.union([z.string(), z.number()]), name: z.string().nullish() }));

export const SOURCE_APIS: Readonly<Record<SourceKind, SourceApi>> = {
  github: {
    check: async (line, now) => void (await askGitHub(line, `/repos/${line.project}`, now)),
    read: readGitHub,
  },
  gitlab: {
    check: async (line, now) => void (await askGitLab(line, '', now)),
    read: readGitLab,
  },
  zendesk: {
    check: async (line, now) => {
      const { json } = await askZendesk(line, '/api/v2/users/me.json', now);
      // Without a token that it knows, it answers for nobody.
      const { user } = z.object({ user: z.object({ id: z.number().nullable() }) }).parse(json);
      if (user.id === null) throw refusalError('zendesk', 'does not accept the token');
    },
    read: readZendesk,
  },
  intercom: {
    check: async (line, now) => void (await askIntercom(line, { path: '/me' }, now)),
    read: readIntercom,
  },
  slack: {
    check: async (line, now) => void (await askSlack(line, 'conversations.info', { channel: line.project }, now)),
    read: readSlack,
  },
};

function askGitHub(line: SourceLine, path: string, now: Date): Promise<SourceAnswer> {
  return askSource(line, { path, headers: GITHUB, secretHeaders: { authorization: `Bearer ${line.token}` } }, now);
}

/** Issues by their last change; pull requests are among them. */
function readGitHub(line: SourceLine, { cursor, now }: { cursor: string; now: Date }): AsyncGenerator<SourcePage> {
  return pagesByChange(cursor, async ({ since, page }) => {
    const order = { state: 'all', sort: 'updated', direction: 'asc', per_page: String(PAGE), page };
    const query = new URLSearchParams({ ...order, ...(since !== '' && { since }) });
    return Records.parse((await askGitHub(line, `/repos/${line.project}/issues?${query.toString()}`, now)).json);
  });
}

function askGitLab(line: SourceLine, path: string, now: Date): Promise<SourceAnswer> {
  const project = encodeURIComponent(line.project);
  return askSource(line, { path: `/projects/${project}${path}`, secretHeaders: { 'private-token': line.token } }, now);
}

function readGitLab(line: SourceLine, { cursor, now }: { cursor: string; now: Date }): AsyncGenerator<SourcePage> {
  return pagesByChange(cursor, async ({ since, page }) => {
    const order = { scope: 'all', order_by: 'updated_at', sort: 'asc', per_page: String(PAGE), page };
    const query = new URLSearchParams({ ...order, ...(since !== '' && { updated_after: since }) });
    return Records.parse((await askGitLab(line, `/issues?${query.toString()}`, now)).json);
  });
}

function askZendesk(line: SourceLine, path: string, now: Date): Promise<SourceAnswer> {
  const login = Buffer.from(`${line.userName}/token:${line.token}`).toString('base64');
  return askSource(line, { path, secretHeaders: { authorization: `Basic ${login}` } }, now);
}

const ZendeskPage = z.object({
  tickets: Records,
  users: Named.default([]),
  organizations: Named.default([]),
  after_cursor: z.string().nullish(),
  end_of_stream: z.boolean(),
});

/** Tickets by its incremental export, with the names of organizations and of who asked. */
async function* readZendesk(
  line: SourceLine,
  { cursor, now }: { cursor: string; now: Date },
): AsyncGenerator<SourcePage> {
  for (let at = cursor; ;) {
    const query = new URLSearchParams({ include: 'users,organizations', per_page: String(PAGE) });
    if (at === '') query.set('start_time', '0');
    else query.set('cursor', at);
    const { json } = await askZendesk(line, `/api/v2/incremental/tickets/cursor.json?${query.toString()}`, now);
    const { tickets, users, organizations, after_cursor: after, end_of_stream: isEnd } = ZendeskPage.parse(json);
    const names = new Map([...users, ...organizations].map(({ id, name }) => [id, name ?? '']));
    const records = tickets
      .filter(({ status }) => status !== 'deleted')
      .map((ticket): ImportRecord => ({
        ...ticket,
        organization_name: names.get(idOf(ticket['organization_id'])),
        requester_name: names.get(idOf(ticket['requester_id'])),
      }));
    at = after ?? at;
    yield { records, cursor: at };
    if (isEnd || after === null || after === undefined) return;
  }
}

function idOf(value: unknown): string | number {
  return typeof value === 'number' || typeof value === 'string' ? value : '';
}

function askIntercom(line: SourceLine, request: { path: string; body?: object }, now: Date): Promise<SourceAnswer> {
  const secretHeaders = { authorization: `Bearer ${line.token}` };
  return askSource(line, { ...request, headers: INTERCOM, secretHeaders }, now);
}

const IntercomPage = z.object({
  conversations: Records,
  pages: z.object({ next: z.object({ starting_after: z.string() }).nullish() }).nullish(),
});

/** Conversations by their last change, oldest first. */
async function* readIntercom(
  line: SourceLine,
  { cursor, now }: { cursor: string; now: Date },
): AsyncGenerator<SourcePage> {
  // Those of the last second may not all have been there.
  const since = Math.max(0, Number(cursor) - 1);
  let last = cursor;
  for (let after: string | undefined; ;) {
    const body = {
      query: { field: 'updated_at', operator: '>', value: since },
      sort: { field: 'updated_at', order: 'ascending' },
      pagination: { per_page: PAGE, ...(after !== undefined && { starting_after: after }) },
    };
    const { json } = await askIntercom(line, { path: '/conversations/search', body }, now);
    const { conversations, pages } = IntercomPage.parse(json);
    last = changedAt(conversations, last);
    yield { records: conversations.map((conversation) => ({ type: 'conversation', ...conversation })), cursor: last };
    after = pages?.next?.starting_after;
    if (after === undefined || conversations.length === 0) return;
  }
}
