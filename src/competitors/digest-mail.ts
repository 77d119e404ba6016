import { minuteOf } from '../kernel/time.ts';
import { excerpt } from '../kernel/shown-values.ts';
import { visible } from '../kernel/visible.ts';
import type { Mail } from '../platform/mail.ts';
import type { Digest } from './digest-webhook.ts';
import type { ChangeRow } from './store/store-changes.ts';
import type { DigestRow } from './store/store-digest.ts';

/** An e-mail is read, not searched: what does not fit stands in the web application. */
const MOST_CHANGES = 50;
const MOST_TEXTS = 6;
const TEXT_CHARACTERS = 300;
const MOST_NAMES = 3;
const COLOURS = { high: '#b42318', medium: '#93620a', low: '#5b6472' } as const;

/** A digest as an e-mail, as plain text and as HTML that says the same. Texts of pages are shown, never read as HTML. */
export function digestMail(row: DigestRow, digest: Digest, baseUrl: string): Mail {
  const shown = digest.rows.slice(0, MOST_CHANGES);
  const groups = [...Map.groupBy(shown, ({ competitor }) => competitor)];
  const web = new URL('/competitors', baseUrl).href;
  const lead = leadOf(row, digest);
  const left = digest.total - shown.length;
  const more = left > 0 ? `${left} more in the web application: ${web}` : `In the web application: ${web}`;
  return {
    to: row.destinations,
    messageId: `${digest.id}@${new URL(baseUrl).hostname}`,
    subject: subjectOf(digest),
    text: [
      lead,
      ...groups.map(([name, changes]) => `${visible(name)}\n\n${changes.map(changeText).join('\n\n')}`),
      more,
    ].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font: 15px/1.5 sans-serif; color: #1c2024; max-width: 44rem">',
      `<p>${escapeHtml(lead)}</p>`,
      ...groups.map(
        ([name, changes]) => `<h2 style="font-size: 18px">${escapeHtml(name)}</h2>${changes.map(changeHtml).join('')}`,
      ),
      `<p>${escapeHtml(more.slice(0, -web.length))}<a href="${escapeHtml(web)}">${escapeHtml(web)}</a></p></body></html>`,
    ].join('\n'),
  };
}

function subjectOf({ isTest, rows, total }: Digest): string {
  const names = [...new Set(rows.map(({ competitor }) => visible(competitor)))];
  const rest = names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : '';
  const who = names.length === 0 ? 'competitors' : names.slice(0, MOST_NAMES).join(', ') + rest;
  return `${isTest ? '[Test] ' : ''}${total === 0 ? 'No change' : formatChanges(total)} at ${who}`;
}

function leadOf({ leastSeverity }: DigestRow, { from, until, total, isTest }: Digest): string {
  const test = isTest ? 'This is a test; the next digest has these changes again. ' : '';
  const severity = { low: 'of any severity', medium: 'of medium or high severity', high: 'of high severity' };
  const what = `${total === 0 ? 'No change' : formatChanges(total)} ${severity[leastSeverity]}`;
  return `${test}${what} from ${minuteOf(from)} to ${minuteOf(until)} (UTC).`;
}

function changeText({ severity, importance, summary, statements, url, removed, added }: ChangeRow): string {
  return [
    `[${importance ?? severity}] ${visible(summary)}`,
    url,
    ...textsOf(otherStatements({ summary, statements })).map((text) => `  * ${text}`),
    ...textsOf(removed).map((text) => `  - ${text}`),
    ...textsOf(added).map((text) => `  + ${text}`),
  ].join('\n');
}

function changeHtml({ summary, statements, url, removed, added, ...row }: ChangeRow): string {
  const severity = row.importance ?? row.severity;
  const side = (texts: readonly string[], mark: string, colour: string): string =>
    textsOf(texts)
      .map(
        (text) => `<div style="border-left: 3px solid ${colour}; padding-left: 8px">${mark} ${escapeHtml(text)}</div>`,
      )
      .join('');
  return [
    `<p style="margin-bottom: 4px"><b style="color: ${COLOURS[severity]}">${severity}</b> ${escapeHtml(summary)}<br>`,
    `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>`,
    side(otherStatements({ summary, statements }), '•', '#8a94a6'),
    side(removed, '−', '#e5a39d'),
    side(added, '+', '#8fc7a3'),
  ].join('');
}

/** Returns the statements of a change that are not in its summary. */
function otherStatements({ summary, statements }: Pick<ChangeRow, 'summary' | 'statements'>): string[] {
  return statements.map(({ text }) => text).filter((text) => !summary.includes(text));
}

/** The first texts, each on one line; how many are left out stands below them. */
function textsOf(texts: readonly string[]): string[] {
  const shown = texts.slice(0, MOST_TEXTS).map((text) => {
    return visible(excerpt(text, TEXT_CHARACTERS));
  });
  return texts.length > MOST_TEXTS ? [...shown, `(${texts.length - MOST_TEXTS} more)`] : shown;
}

function formatChanges(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`;
}

function escapeHtml(text: string): string {
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
  return visible(text).replaceAll(/[&<>"]/g, (character) => entities[character] ?? character);
}
