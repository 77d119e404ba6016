import { z } from 'zod';
import { type ImportRecord, textOfSlack } from '../import/import.ts';
import { askSource, refusalError, type SourceLine, type SourcePage } from './source-line.ts';

/** Threads that are looked at for new replies: those whose first message is not older. */
const THREAD_DAYS = 7;
const DAY_SECONDS = 86_400;
const PAGE = 100;

const SlackAnswer = z.object({ ok: z.boolean(), error: z.string().optional() });
const Next = z.object({ response_metadata: z.object({ next_cursor: z.string().optional() }).optional() });
const Message = z.looseObject({
  ts: z.string(),
  text: z.string().optional(),
  user: z.string().optional(),
  /** Of the first message of a thread. */
  latest_reply: z.string().optional(),
});
const Messages = Next.extend({ messages: z.array(Message) });
const Members = Next.extend({
  members: z.array(
    z.object({ id: z.string(), name: z.string(), profile: z.object({ real_name: z.string().optional() }).optional() }),
  ),
});
const Channel = z.object({ channel: z.object({ name: z.string().optional() }) });

/** Slack says in the answer whether it is one. */
export async function askSlack(
  line: SourceLine,
  method: string,
  query: Record<string, string>,
  now: Date,
): Promise<unknown> {
  const path = `/${method}?${new URLSearchParams(query).toString()}`;
  const { json } = await askSource(line, { path, secretHeaders: { authorization: `Bearer ${line.token}` } }, now);
  const { ok, error = 'unknown_error' } = SlackAnswer.parse(json);
  if (!ok) throw refusalError('slack', `answers ${error}`);
  return json;
}

/**
 * Messages of a channel since the last one, and replies since then in threads of the last seven days. Slack gives the newest
 * messages first: where to go on is known at the end.
 */
export async function* readSlack(
  line: SourceLine,
  { cursor, now }: { cursor: string; now: Date },
): AsyncGenerator<SourcePage> {
  const names = await namesOf(line, now);
  const info = Channel.parse(await askSlack(line, 'conversations.info', { channel: line.project }, now));
  const channel = info.channel.name ?? line.project;
  const since = Number(cursor);
  let newest: string | undefined;
  const history = pagesOf(line, 'conversations.history', {
    query: { oldest: cursor === '' ? '0' : (since - THREAD_DAYS * DAY_SECONDS).toFixed(6) },
    now,
  });
  for await (const { messages, isLast } of history) {
    // What the first page does not know of yet came later, and is read the next time.
    newest ??= messages.flatMap(({ ts, latest_reply: reply }) => [ts, reply ?? '']).reduce(laterOf, cursor);
    const newer = messages.filter(({ ts }) => Number(ts) > since);
    for (const { ts, latest_reply: reply } of messages)
      if (reply !== undefined && Number(reply) > since) newer.push(...(await repliesOf(line, { ts, cursor, now })));
    yield { records: newer.map((message) => recordOf(message, channel, names)), cursor: isLast ? newest : cursor };
  }
}

async function repliesOf(
  line: SourceLine,
  { ts, cursor, now }: { ts: string; cursor: string; now: Date },
): Promise<z.output<typeof Message>[]> {
  const query = { ts, ...(cursor !== '' && { oldest: cursor }) };
  const pages = await Array.fromAsync(pagesOf(line, 'conversations.replies', { query, now }));
  // Each page begins with the first message of the thread, which the channel has too.
  const replies = pages.flatMap(({ messages }) => messages.filter((message) => message.ts !== ts));
  return replies.filter((message) => Number(message.ts) > Number(cursor));
}

async function* pagesOf(
  line: SourceLine,
  method: string,
  { query, now }: { query: Record<string, string>; now: Date },
): AsyncGenerator<{ messages: z.output<typeof Message>[]; isLast: boolean }> {
  const common = { channel: line.project, limit: String(PAGE), ...query };
  for (let next = ''; ;) {
    const parameters = { ...common, ...(next !== '' && { cursor: next }) };
    const { messages, response_metadata: meta } = Messages.parse(await askSlack(line, method, parameters, now));
    next = meta?.next_cursor ?? '';
    yield { messages, isLast: next === '' };
    if (next === '') return;
  }
}

function recordOf(
  message: z.output<typeof Message>,
  channel: string,
  names: ReadonlyMap<string, string>,
): ImportRecord {
  const { text, user } = message;
  return {
    ...message,
    channel,
    ...(text !== undefined && { text: textOfSlack(text, names) }),
    ...(user !== undefined && { user: names.get(user) ?? user }),
  };
}

function laterOf(one: string, other: string): string {
  return Number(other) > Number(one) ? other : one;
}

async function namesOf(line: SourceLine, now: Date): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (let cursor = ''; ;) {
    const query = { limit: '200', ...(cursor !== '' && { cursor }) };
    const { members, response_metadata: meta } = Members.parse(await askSlack(line, 'users.list', query, now));
    for (const { id, name, profile } of members) names.set(id, profile?.real_name || name);
    cursor = meta?.next_cursor ?? '';
    if (cursor === '') return names;
  }
}
