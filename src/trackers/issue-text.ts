import { oneLine } from '../kernel/shown-values.ts';
import { createHash } from 'node:crypto';
import type { Tenant } from '../kernel/tenant.ts';
import type { PlanRow, WorkItem } from '../plans/plans.ts';
import type { Destination, TrackerKind } from './context.ts';

/** Trackers take 255 characters at least. */
const LONGEST_TITLE = 255;
/** Longest body that each tracker takes, with room for what follows. */
const LONGEST_BODY: Record<TrackerKind, number> = { jira: 32_000, github: 65_000, gitlab: 1_000_000, linear: 100_000 };

/** The text of an issue, as it is sent. */
export interface IssueText {
  title: string;
  body: string;
  marker: string;
  /** Changes when anything of it does. */
  digest: string;
}

/** Entries of a list, or a text as it is written. */
interface Part {
  heading: string;
  lines: readonly string[];
  isCode?: boolean;
  isText?: boolean;
}

/** The issue of a work item, in the markup of the tracker: Markdown, or the wiki markup of Jira. */
export function issueText(
  item: WorkItem,
  plan: Pick<PlanRow, 'slug' | 'title' | 'version'>,
  { kind, marker, before }: { kind: TrackerKind; marker: string; before: readonly string[] },
): IssueText {
  const parts: Part[] = [
    { heading: 'Group', lines: item.group === '' ? [] : [item.group] },
    { heading: 'Description', lines: item.body === '' ? [] : [item.body], isText: true },
    { heading: 'Done when', lines: item.acceptance.filter((line) => !item.body.includes(line)) },
    { heading: 'Files', lines: item.files, isCode: true },
    { heading: 'Symbols', lines: item.symbols, isCode: true },
    { heading: 'Comes after', lines: before },
    { heading: 'Test', lines: item.test === '' ? [] : [item.test], isText: item.test.includes('\n') },
    { heading: 'Estimate', lines: item.estimate === '' ? [] : [item.estimate] },
  ];
  const opening = `Work item wi:${item.number} (${[...new Set([item.key, item.label])].filter((name) => name !== '').join(', ')}) of the plan "${plan.title}" (plan:${plan.slug}, version ${plan.version}).`;
  const written = parts.filter(({ lines }) => lines.length > 0);
  const markup = kind === 'jira' ? wiki : markdown;
  const text = markup(opening, written);
  const most = LONGEST_BODY[kind];
  const cut = text.length <= most ? text : `${text.slice(0, most)}\n\n… (the rest is in the plan)`;
  const body = `${cut}\n\n----\n\nReference: svc-${marker}\n`;
  const line = item.title.replaceAll(/\s+/g, ' ').trim();
  const title = line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1)}…`;
  return { title, body, marker, digest: hashOf([title, body]) };
}

/**
 * Returns the marker of an issue: the same for the same item at the same destination, until the issue was deleted there and is
 * made again. In the form of a UUID version 4, which Linear takes as an id.
 */
export function markerOf(
  { accountId, productId }: Tenant,
  { planId, itemKey, kind, baseUrl, project, round }: Destination & { planId: string; itemKey: string; round: number },
): string {
  const hex = hashOf([accountId, productId, planId, itemKey, kind, baseUrl, project, String(round)]);
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

function markdown(opening: string, parts: readonly Part[]): string {
  const sections = parts.map(({ heading, lines, isCode, isText }) => {
    if (isText === true) return `### ${heading}\n\n${changeLines(lines.join('\n'), MARKDOWN)}`;
    const listed = lines.map((line) => `- ${isCode === true ? `\`${oneLine(line)}\`` : calmMarkdown(oneLine(line))}`);
    return `### ${heading}\n\n${listed.join('\n')}`;
  });
  return [calmMarkdown(opening), ...sections].join('\n\n');
}

/** Functions that change a text line by line: prose, the lines of code in fences, and the fences. */
interface Markup {
  prose: (line: string) => string;
  code: (line: string) => string;
  fence: (line: string) => string;
}

/** A fence that nothing closes is closed, so that what follows the text is not code. */
function changeLines(text: string, { prose, code, fence }: Markup): string {
  let open = '';
  const lines = text.split('\n').map((line) => {
    const [, mark = ''] = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})/.exec(line) ?? [];
    const isFence = open === '' ? mark !== '' : mark.startsWith(open) && line.trim() === mark;
    if (!isFence) return open === '' ? prose(line) : code(line);
    open = open === '' ? mark : '';
    return fence(line);
  });
  return [...lines, ...(open === '' ? [] : [fence(open)])].join('\n');
}

const WORD_JOINER = '\u2060';
/** Pattern of texts that trackers make notices and links of: people, and numbers of issues and merge requests. */
const MENTION = /(?<![\p{L}\p{N}_./])@(?=[\p{L}\p{N}_])|#(?=\d)|(?<![\p{L}\p{N}])(?:!|GH-)(?=\d)/giu;

/** A line that notifies nobody and links no issue of the tracker, by signs that nobody sees; back-quotes do that already. */
function calmMarkdown(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(MENTION, `$&${WORD_JOINER}`)))
    .join('');
}

const MARKDOWN: Markup = { prose: calmMarkdown, code: (line) => line, fence: (line) => line };
/** Nothing can be escaped in code but what would end it. */
const WIKI: Markup = {
  prose: escapeWiki,
  code: (line) => line.replaceAll('{code', `{${WORD_JOINER}code`),
  fence: () => '{code}',
};

function wiki(opening: string, parts: readonly Part[]): string {
  const sections = parts.map(({ heading, lines, isCode, isText }) => {
    if (isText === true) return `h3. ${heading}\n\n${changeLines(lines.join('\n'), WIKI)}`;
    const listed = lines.map(
      (line) => `* ${isCode === true ? `{{${escapeWiki(oneLine(line))}}}` : escapeWiki(oneLine(line))}`,
    );
    return `h3. ${heading}\n\n${listed.join('\n')}`;
  });
  return [escapeWiki(opening), ...sections].join('\n\n');
}

/** So that nothing of a text is taken for wiki markup. */
function escapeWiki(text: string): string {
  return text
    .trimEnd()
    .replaceAll('`', '')
    .replaceAll(/[\\{}[\]*_|^~!+]/g, String.raw`\$&`);
}
