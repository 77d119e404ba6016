import { z } from 'zod';
import type { ImportRecord } from '../import/import.ts';
import { textOfSlack } from '../import/import.ts';
import type { SourceKind } from './context.ts';
import { askSource, type SourceAnswer, type SourceLine, refused } from './source-line.ts';

/** Some of what a source has, as exports have it, and where to go on once that is saved. */
interface SourcePage {
  records: ImportRecord[];
  cursor: string;
}

/** Reads what changed since `cursor`, which is empty the first time; `since` is where it begins then. */
type ReadPages = (line: SourceLine, from: { cursor: string; now: Date }) => AsyncGenerator<SourcePage>;

interface SourceApi {
  /** @throws ServiceError when the token or the project is not accepted. */
  check: (line: SourceLine, now: Date) => Promise<void>;
  read: ReadPages;
}

const PAGE = 100;
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
      if (user.id === null) throw refused('zendesk', 'does not accept the token');
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
  return readByChange(cursor, async ({ since, page }) => {
    const order = { state: 'all', sort: 'updated', direction: 'asc', per_page: String(PAGE), page };
    const query = new URLSearchParams({ ...order, ...(since !== '' && { since }) });
    return (await askGitHub(line, `/repos/${line.project}/issues?${query.toString()}`, now)).json;
  });
}

/**
 * Issues, oldest change first. Each page begins at the change with which the one before ended, so one that changes meanwhile is
 * not passed over; only of those that changed at one moment a second page is asked for.
 */
async function* readByChange(
  cursor: string,
  ask: (place: { since: string; page: string }) => Promise<unknown>,
): AsyncGenerator<SourcePage> {
  for (let [since, page] = [cursor, 1]; ;) {
    const records = Records.parse(await ask({ since, page: String(page) }));
    const last = changedAt(records, since);
    yield { records, cursor: last };
    if (records.length < PAGE) return;
    page = last === since ? page + 1 : 1;
    since = last;
  }
}

/** When the last of the records changed; `before` when it does not say so. */
function changedAt(records: readonly ImportRecord[], before: string): string {
  const at = records.at(-1)?.['updated_at'];
  return typeof at === 'string' || typeof at === 'number' ? String(at) : before;
}

function askGitLab(line: SourceLine, path: string, now: Date): Promise<SourceAnswer> {
  const project = encodeURIComponent(line.project);
  return askSource(line, { path: `/projects/${project}${path}`, secretHeaders: { 'private-token': line.token } }, now);
}

function readGitLab(line: SourceLine, { cursor, now }: { cursor: string; now: Date }): AsyncGenerator<SourcePage> {
  return readByChange(cursor, async ({ since, page }) => {
    const order = { scope: 'all', order_by: 'updated_at', sort: 'asc', per_page: String(PAGE), page };
    const query = new URLSearchParams({ ...order, ...(since !== '' && { updated_after: since }) });
    return (await askGitLab(line, `/issues?${query.toString()}`, now)).json;
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

const SlackAnswer = z.object({ ok: z.boolean(), error: z.string().optional() });
const Next = z.object({ response_metadata: z.object({ next_cursor: z.string().optional() }).optional() });
const SlackHistory = Next.extend({ messages: Records });
const SlackMembers = Next.extend({
  members: z.array(
    z.object({ id: z.string(), name: z.string(), profile: z.object({ real_name: z.string().optional() }).optional() }),
  ),
});

/** Slack says in the answer whether it is one. */
async function askSlack(line: SourceLine, method: string, query: Record<string, string>, now: Date): Promise<unknown> {
  const path = `/${method}?${new URLSearchParams(query).toString()}`;
  const { json } = await askSource(line, { path, secretHeaders: { authorization: `Bearer ${line.token}` } }, now);
  const { ok, error = 'unknown_error' } = SlackAnswer.parse(json);
  if (!ok) throw refused('slack', `answers ${error}`);
  return json;
}

/** Messages of a channel since the last one, which Slack gives newest first: where to go on is known at the end. */
async function* readSlack(
  line: SourceLine,
  { cursor, now }: { cursor: string; now: Date },
): AsyncGenerator<SourcePage> {
  const names = await slackNames(line, now);
  const { channel } = z
    .object({ channel: z.object({ name: z.string().optional() }) })
    .parse(await askSlack(line, 'conversations.info', { channel: line.project }, now));
  let newest = cursor;
  for (let next = ''; ;) {
    const query = {
      channel: line.project,
      limit: String(PAGE),
      oldest: cursor || '0',
      ...(next !== '' && { cursor: next }),
    };
    const page = SlackHistory.parse(await askSlack(line, 'conversations.history', query, now));
    newest = page.messages.reduce((most, { ts }) => (Number(ts) > Number(most) ? String(ts) : most), newest);
    next = page.response_metadata?.next_cursor ?? '';
    const records = page.messages.map((message): ImportRecord => {
      const { text, user } = message;
      return {
        ...message,
        channel: channel.name ?? line.project,
        ...(typeof text === 'string' && { text: textOfSlack(text, names) }),
        ...(typeof user === 'string' && { user: names.get(user) ?? user }),
      };
    });
    yield { records, cursor: next === '' ? newest : cursor };
    if (next === '') return;
  }
}

async function slackNames(line: SourceLine, now: Date): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let cursor = ''; ;) {
    const query = { limit: '200', ...(cursor !== '' && { cursor }) };
    const { members, response_metadata: meta } = SlackMembers.parse(await askSlack(line, 'users.list', query, now));
    for (const { id, name, profile } of members) names.set(id, profile?.real_name || name);
    cursor = meta?.next_cursor ?? '';
    if (cursor === '') return names;
  }
}
