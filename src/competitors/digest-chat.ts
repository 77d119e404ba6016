import { counted } from '../kernel/counted.ts';
import { ServiceError } from '../kernel/errors.ts';
import { visible } from '../kernel/visible.ts';
import { netRequest } from '../platform/net.ts';
import { hiddenOf } from './digest.ts';
import type { Digest } from './digest-webhook.ts';
import type { ChangeRow } from './store/store-changes.ts';
import type { DigestRow } from './store/store-digest.ts';
import type { Competitors } from './watch/context.ts';

/** A message of a chat is short: what does not fit is in the web application. */
const MOST_CHANGES = 15;
const MOST_STATEMENTS = 5;
const LINE_CHARACTERS = 300;
const MOST_ANSWER_BYTES = 64 * 1024;

/**
 * Posts the changes to an incoming webhook of Slack, or to a workflow of Teams that takes one.
 *
 * @throws ServiceError `bad_argument` for an address that may not be called, `upstream_failed` when it does not arrive.
 */
export async function deliverToChat(competitors: Competitors, row: DigestRow, digest: Digest): Promise<void> {
  const { fetcher, baseUrl } = competitors;
  const message = row.channel === 'slack' ? slackMessage(digest, baseUrl) : teamsMessage(digest, baseUrl);
  const url = hiddenOf(competitors, row);
  const { status } = await netRequest(fetcher.net, {
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', 'user-agent': fetcher.userAgent },
    body: JSON.stringify(message),
    mostRedirects: 0,
    mostBytes: MOST_ANSWER_BYTES,
  });
  if (status >= 200 && status < 300) return;
  throw new ServiceError('upstream_failed', `${new URL(url).host} answered ${status} to the message.`, {
    fix: 'Make a new incoming webhook in the chat and set its address here.',
  });
}

/** A message for Slack in its own marks. Texts of pages are escaped, so none of them mentions or links. */
function slackMessage(digest: Digest, baseUrl: string): { text: string; blocks: unknown[] } {
  const title = titleOf(digest);
  const sections = digest.rows.slice(0, MOST_CHANGES).map((change) => {
    const { competitor, url } = change;
    const head = `*${slackText(competitor)}* · ${levelOf(change)} · <${slackText(url)}|page>`;
    return [head, ...linesOf(change).map((line) => `• ${slackText(line)}`)].join('\n');
  });
  const texts = [`*${slackText(title)}*`, ...sections, `<${webOf(baseUrl)}|${slackText(moreOf(digest))}>`];
  const blocks = texts.map((text) => ({ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }));
  return { text: slackText(title), blocks };
}

/** An Adaptive Card, which workflows of Teams post. */
function teamsMessage(digest: Digest, baseUrl: string): { type: 'message'; attachments: unknown[] } {
  const changes = digest.rows.slice(0, MOST_CHANGES).flatMap((change) => [
    block(plainMarkdown(`${change.competitor} · ${levelOf(change)}`), { weight: 'Bolder', separator: true }),
    block(
      linesOf(change)
        .map((line) => `- ${plainMarkdown(line)}`)
        .join('\n'),
    ),
    block(`[page](${encodeURI(change.url)})`, { size: 'Small' }),
  ]);
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [block(plainMarkdown(titleOf(digest)), { weight: 'Bolder', size: 'Medium' }), ...changes],
    actions: [{ type: 'Action.OpenUrl', title: moreOf(digest), url: webOf(baseUrl) }],
  };
  return { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }] };
}

function block(text: string, style: object = {}): object {
  return { type: 'TextBlock', wrap: true, text, ...style };
}

function titleOf({ rows, total, isTest }: Digest): string {
  const names = [...new Set(rows.map(({ competitor }) => competitor))].join(', ');
  const what = total === 0 ? 'No change at competitors' : `${counted(total, 'change')} at ${visible(names)}`;
  return `${isTest ? '[Test] ' : ''}${what}`.slice(0, LINE_CHARACTERS);
}

function moreOf({ rows, total }: Digest): string {
  const more = total - Math.min(rows.length, MOST_CHANGES);
  return more > 0 ? `${more} more in the web application` : 'Open in the web application';
}

function webOf(baseUrl: string): string {
  return new URL('/competitors', baseUrl).href;
}

function levelOf({ importance, severity, kind }: ChangeRow): string {
  return `${importance ?? severity} · ${kind}`;
}

/** Returns the statements of a change, each on one line. */
function linesOf({ statements, summary }: ChangeRow): string[] {
  const texts = statements.length === 0 ? [summary] : statements.map(({ text }) => text);
  const shown = texts.slice(0, MOST_STATEMENTS).map((text) => visible(text).slice(0, LINE_CHARACTERS));
  return texts.length > shown.length ? [...shown, `and ${texts.length - shown.length} more`] : shown;
}

function slackText(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  return text.replaceAll(/[&<>]/g, (character) => entities[character] ?? character);
}

/** Text that the marks of a card do not change. */
function plainMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
}
