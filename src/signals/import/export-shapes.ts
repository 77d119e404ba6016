import { isRecord } from '../../kernel/json.ts';
import { textOfHtml } from './markup.ts';
import type { ImportRecord } from './import-file.ts';

/** An export whose records are objects inside objects, as the interface of the tool gives them. */
interface ExportShape {
  name: string;
  /** Fields that its records have. */
  fields: readonly string[];
  /** Value of `type`, where that distinguishes it from others. */
  type?: string;
  /** A record as columns that are known everywhere, or why it is no signal. */
  read: (record: ImportRecord) => ImportRecord | string;
}

/** Kinds of messages that people write in a channel; the other kinds are notices of Slack itself. */
const SLACK_KINDS: ReadonlySet<unknown> = new Set([undefined, '', 'thread_broadcast', 'file_share', 'me_message']);

const SHAPES: readonly ExportShape[] = [
  { name: 'GitHub issues', fields: ['number', 'html_url', 'title', 'user'], read: fromGitHub },
  { name: 'GitLab issues', fields: ['iid', 'web_url', 'title', 'author'], read: fromGitLab },
  { name: 'Zendesk tickets', fields: ['id', 'subject', 'description', 'requester_id', 'via'], read: fromZendesk },
  { name: 'Intercom conversations', fields: ['id', 'source'], type: 'conversation', read: fromIntercom },
  { name: 'App Store reviews', fields: ['id', 'attributes'], type: 'customerReviews', read: fromAppStore },
  { name: 'Slack messages', fields: ['ts', 'text'], type: 'message', read: fromSlack },
];

/** The export that records are of, by the first one; undefined for a table. */
export function shapeOf([first]: readonly ImportRecord[]): ExportShape | undefined {
  if (first === undefined) return undefined;
  return SHAPES.find(
    ({ fields, type }) => fields.every((field) => field in first) && (type === undefined || first['type'] === type),
  );
}

function fromGitHub(issue: ImportRecord): ImportRecord | string {
  if (issue['pull_request'] !== undefined && issue['pull_request'] !== null) return 'It is a pull request.';
  const link = String(issue['html_url']);
  return {
    text: joinTexts(issue['title'], issue['body']),
    external_id: String(issue['number']),
    // Of a server of one's own too.
    source: `github:${/^https?:\/\/[^/]+\/(.+?)\/issues\//.exec(link)?.[1] ?? 'unknown'}`,
    customer: textIn(issue['user'], 'login'),
    date: issue['created_at'],
    tags: namesOf(issue['labels']),
    link,
  };
}

function fromGitLab(issue: ImportRecord): ImportRecord {
  const link = String(issue['web_url']);
  return {
    text: joinTexts(issue['title'], issue['description']),
    external_id: String(issue['iid']),
    source: `gitlab:${/^https?:\/\/[^/]+\/(.+?)\/-\//.exec(link)?.[1] ?? 'unknown'}`,
    customer: textIn(issue['author'], 'username'),
    date: issue['created_at'],
    tags: namesOf(issue['labels']),
    link,
  };
}

function fromZendesk(ticket: ImportRecord): ImportRecord {
  const id = String(ticket['id']);
  const api = typeof ticket['url'] === 'string' ? ticket['url'] : '';
  const host = /^https:\/\/([^/]+)\//.exec(api)?.[1];
  return {
    text: joinTexts(ticket['subject'], ticket['description']),
    external_id: id,
    source: `zendesk:${host?.replace(/\.zendesk\.com$/, '') ?? 'unknown'}`,
    // The names are added where the interface is asked for them.
    customer: firstText(
      ticket['organization_name'],
      ticket['requester_name'],
      ticket['organization_id'],
      ticket['requester_id'],
    ),
    date: ticket['created_at'],
    tags: namesOf(ticket['tags']),
    rating: { good: '5', bad: '1' }[textIn(ticket['satisfaction_rating'], 'score')] ?? '',
    link: host === undefined ? '' : `https://${host}/agent/tickets/${id}`,
  };
}

function fromIntercom(conversation: ImportRecord): ImportRecord | string {
  const source = fieldsOf(conversation['source']);
  const author = fieldsOf(source['author']);
  if (author['type'] === 'admin' || author['type'] === 'bot')
    return 'It was begun by the team or a bot, not by a customer.';
  const rating = fieldsOf(conversation['conversation_rating'])['rating'];
  return {
    text: joinTexts(textOfHtml(firstText(source['subject'])), textOfHtml(firstText(source['body']))),
    external_id: String(conversation['id']),
    source: 'intercom',
    customer: firstText(author['email'], author['name'], author['id']),
    date: conversation['created_at'],
    tags: namesOf(fieldsOf(conversation['tags'])['tags']),
    rating: rating ?? '',
    link: /^https?:/.test(String(source['url'])) ? source['url'] : '',
  };
}

function fromAppStore(review: ImportRecord): ImportRecord {
  const { title, body, rating, reviewerNickname, createdDate, territory } = fieldsOf(review['attributes']);
  return {
    text: joinTexts(title, body),
    external_id: String(review['id']),
    source: 'app-store',
    customer: reviewerNickname ?? '',
    segment: territory ?? '',
    rating: rating ?? '',
    date: createdDate,
  };
}

function fromSlack(message: ImportRecord): ImportRecord | string {
  const { subtype, bot_id: bot, user_profile: profile, user, text, ts, channel, client_msg_id: id } = message;
  if (bot !== undefined && bot !== null) return 'It is of a bot.';
  if (!SLACK_KINDS.has(subtype ?? undefined)) return `It is a notice of Slack (${String(subtype)}).`;
  const place = typeof channel === 'string' ? `slack:${channel}` : 'slack';
  return {
    text,
    external_id: typeof channel === 'string' ? String(ts) : String(id ?? ts),
    source: place,
    customer: firstText(fieldsOf(profile)['real_name'], user),
    date: ts,
  };
}

/** Title and text, the parts that are there. */
function joinTexts(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part.trim() !== '').join('\n\n');
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function textIn(value: unknown, field: string): string {
  const content = fieldsOf(value)[field];
  return typeof content === 'string' ? content : '';
}

/** The first of these that says something; numbers are ids. */
function firstText(...values: readonly unknown[]): string {
  for (const value of values) {
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return '';
}

/** Labels, which are texts or objects with a name. */
function namesOf(value: unknown): string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.map((entry) => (typeof entry === 'string' ? entry : textIn(entry, 'name'))).filter((name) => name !== '');
}
