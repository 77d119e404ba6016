import type { Provenance } from '../kernel/answer.ts';
import { describeIndex, indexJson } from '../kernel/freshness.ts';
import { charactersIn } from '../kernel/budget.ts';
import { counted } from '../kernel/counted.ts';
import { quoteVisible, visible } from '../kernel/visible.ts';
import type { Answer } from '../platform/operation/operation.ts';
import type { ConfidenceLevel } from './confidence.ts';
import { saysAll } from '../kernel/says-all.ts';
import type { Settled, Source } from './prose/settle.ts';

/** All that an answer of an agent says, before it is cut to its budget. */
export interface Report extends Settled {
  operation: string;
  provenances: readonly Provenance[];
  /** Stands before the paragraphs, without a source: that the index has nothing to say. */
  lead: string;
  confidence: number;
  level: ConfidenceLevel;
  gaps: readonly string[];
  /** `deterministic` or `llm:<model>`. */
  engine: string;
  lookedAt: { calls: number; files: number };
  /** The calls that were made, in their order. */
  calls: readonly string[];
  next: readonly string[];
  /** Further fields of the JSON form; lists in it lose their last rows when it does not fit. */
  extra?: Readonly<Record<string, unknown>>;
}

const MOST_SOURCES_NAMED = 3;
/** A source whose quote does not fit is named alone, in this many characters of quote at least. */
const LEAST_QUOTE = 40;
const QUOTES_KEPT = 4;
const PARAGRAPHS_KEPT = 3;

/** The answer in both forms, each within the budget: sources lose their quotes first, from the last, then paragraphs go. */
export function renderAnswer(report: Report, maxTokens: number): Answer {
  return {
    text: fitReport(report, maxTokens, composeText),
    json: JSON.parse(fitReport(report, maxTokens, (draft) => JSON.stringify(composeJson(draft)))) as Record<
      string,
      unknown
    >,
  };
}

function fitReport(report: Report, maxTokens: number, compose: (report: Report) => string): string {
  const most = charactersIn(maxTokens);
  let shown = report;
  let text = compose(shown);
  while (text.length > most) {
    const less = shortenReport(shown, text.length - most);
    if (less === undefined) return text;
    shown = less;
    text = compose(shown);
  }
  return text;
}

/** The report with a little less of it; undefined when nothing is left to leave out. */
function shortenReport(report: Report, excess: number): Report | undefined {
  const { sources, paragraphs, calls, next, gaps } = report;
  if (calls.length > 0) return { ...report, calls: [] };
  // What else to ask is worth less than what was found.
  if (next.length > 1) return { ...report, next: next.slice(0, 1) };
  const isLong = paragraphs.length > PARAGRAPHS_KEPT;
  // The quotes of what an answer begins with say more than its last paragraphs.
  const at = sources.findLastIndex(({ text }, index) => text !== '' && index > (isLong ? QUOTES_KEPT : 0));
  const last = sources[at];
  if (last !== undefined) {
    const left = last.text.length - excess;
    const cut = left < LEAST_QUOTE ? '' : last.text.slice(0, Math.max(last.text.lastIndexOf('\n', left), 0));
    return { ...report, sources: sources.map((source, index) => (index === at ? { ...source, text: cut } : source)) };
  }
  const less = withoutLastRow(report);
  if (less !== undefined) return less;
  if (paragraphs.length > 1) return withoutLast(report);
  if (gaps.length > 1) return { ...report, gaps: gaps.slice(0, 1) };
  const [first] = sources;
  return first === undefined || first.text === '' ? undefined : { ...report, sources: [{ ...first, text: '' }] };
}

/** Without the last row of the longest list of the further fields; undefined when none has more than one. */
function withoutLastRow({ extra = {}, ...report }: Report): Report | undefined {
  const lists = Object.entries(extra).flatMap(([name, value]) =>
    Array.isArray(value) ? [{ name, rows: value as unknown[] }] : [],
  );
  const [longest] = lists.toSorted((a, b) => b.rows.length - a.rows.length);
  if (longest === undefined || longest.rows.length < 2) return undefined;
  return { ...report, extra: { ...extra, [longest.name]: longest.rows.slice(0, -1) } };
}

/** Without the last paragraph, or the last line of one that is a list, and without the sources that only it cites. */
function withoutLast(report: Report): Report {
  const paragraphs = withoutLastLine(report.paragraphs);
  const cited = new Set(
    paragraphs.flatMap(({ text }) => [...text.matchAll(/\[(\d+)\]/g)].map(([, number]) => Number(number))),
  );
  return { ...report, paragraphs, sources: report.sources.filter((source) => cited.has(source.cited)) };
}

/** A list that has only its lead and one line goes whole. */
function withoutLastLine(paragraphs: Report['paragraphs']): Report['paragraphs'] {
  const last = paragraphs.at(-1);
  const lines = last?.isList === true ? last.text.split('\n') : [];
  if (last === undefined || lines.length <= 2) return paragraphs.slice(0, -1);
  return [...paragraphs.slice(0, -1), { ...last, text: lines.slice(0, -1).join('\n') }];
}

function composeText(report: Report): string {
  const { operation, provenances, lead, level, engine, lookedAt, gaps, next, sources } = report;
  const read = provenances.slice(0, MOST_SOURCES_NAMED).map(describeSource);
  const more = provenances.length - read.length;
  const head = [
    operation,
    ...(read.length === 0 ? [] : [more > 0 ? `${read.join(', ')} and ${more} more` : read.join(', ')]),
    `confidence ${level}`,
    `engine ${engine}`,
    `looked at ${counted(lookedAt.calls, 'call')}, ${counted(lookedAt.files, 'file')}`,
  ].join(' · ');
  return [
    head,
    prose(report),
    ...(sources.length === 0 && lead === '' ? ['Nothing was found.'] : []),
    ...(sources.length === 0 ? [] : ['sources', ...listSources(report)]),
    ...(gaps.length === 0 ? [] : [`gaps: ${visible(gaps.join('; '))}`]),
    ...next.map((call) => `next: ${visible(call)}`),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Paragraphs apart from each other, as they are read. Text of others in them stays on its line. */
function prose({ lead, paragraphs }: Report): string {
  const texts = paragraphs.map(({ text }) => text.split('\n').map(visible).join('\n'));
  return [...(lead === '' ? [] : [lead]), ...texts].join('\n\n');
}

/** The sources as they are read. Those of one file behind each other that have no quote share a line. */
function listSources(report: Report): string[] {
  const isBare = (source: Source): boolean =>
    source.text === '' || source.kind === 'commit' || isSaid(source, report.paragraphs);
  let before: Source | undefined;
  const listed: string[] = [];
  for (const source of report.sources) {
    const { cited, lines, kind } = source;
    const isBeside = before?.path === source.path && before?.repo === source.repo && kind === 'code';
    if (isBeside && lines !== undefined && isBare(source))
      listed.push(`${listed.pop() ?? ''}, [${cited}] :${rangeOf(lines)}`);
    else {
      const place = describePlace(source, report.provenances.length > 1);
      listed.push(isBare(source) ? place : `${place}\n${quoteVisible(withoutIndent(source.text))}`);
    }
    before = isBare(source) && kind === 'code' ? source : undefined;
  }
  return listed;
}

/** Where a source stands; with its repository where several were read. */
function describePlace(source: Source, isOfSeveral: boolean): string {
  const { cited, title = '', kind, date = '', repo } = source;
  const facts = [kind === 'code' ? title : `${kind} ${title}`.trim(), kind === 'code' ? '' : date.slice(0, 10)];
  const about = facts.filter((fact) => fact !== '').join(', ');
  return visible(
    `[${cited}] ${isOfSeveral && repo !== '' ? `${repo}: ` : ''}${placeOf(source)}${about === '' ? '' : ` (${about})`}`,
  );
}

/** Lines as they stand, without the space that all of them begin with. The first may have lost its own. */
function withoutIndent(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const depths = [first, ...rest]
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length);
  const least = Math.min(...depths);
  return [first, ...rest].map((line) => line.slice(Math.min(least, line.length))).join('\n');
}

function rangeOf({ start, end }: { start: number; end: number }): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

/** Whether a line of the answer that cites a source has all of its words: a quote below it would say the same again. */
function isSaid({ cited, text }: Source, paragraphs: Report['paragraphs']): boolean {
  return paragraphs
    .flatMap((paragraph) => paragraph.text.split('\n'))
    .some((line) => line.includes(`[${cited}]`) && saysAll(line, text));
}

function placeOf({ id, kind, path, section, lines }: Source): string {
  if (path !== undefined && lines !== undefined && kind === 'document') return `${path}:${rangeOf(lines)}`;
  if (lines !== undefined || path === undefined) return id;
  return section === undefined || section === '' ? path : `${path}#${section}`;
}

function composeJson(report: Report): Record<string, unknown> {
  const { operation, provenances, level, confidence, gaps, engine, lookedAt, next, sources, dropped, calls } = report;
  const [first] = provenances;
  const isSingle = provenances.length === 1 && first !== undefined;
  return {
    op: operation,
    ...(isSingle ? { repo: first.repo, ref: first.ref, commit: first.commit } : { repo: '*' }),
    index: isSingle
      ? indexJson(first.index)
      : provenances.map(({ repo, commit, index }) => ({ repo, commit, ...indexJson(index) })),
    answer: prose(report),
    sources: sources.map(sourceJson),
    confidence: level,
    confidence_score: confidence,
    gaps,
    engine,
    looked_at: lookedAt,
    next,
    ...(dropped.length > 0 && { dropped }),
    ...(calls.length > 0 && { calls }),
    ...report.extra,
  };
}

function sourceJson({ cited, id, kind, repo, commit, path, lines, section, title, date, text }: Source) {
  return {
    n: cited,
    id,
    kind,
    ...(repo !== '' && { repo }),
    ...(path !== undefined && { path }),
    ...(lines !== undefined && { lines: rangeOf(lines) }),
    ...(section !== undefined && section !== '' && { section }),
    ...(commit !== undefined && { commit }),
    ...(title !== undefined && title !== '' && { title }),
    ...(date !== undefined && date !== '' && { date }),
    quote: text,
  };
}

function describeSource({ repo, commit, ref, index }: Provenance): string {
  return visible(`${repo}@${commit.slice(0, 7)} ${ref} ${describeIndex(index)}`.replace('  ', ' '));
}
