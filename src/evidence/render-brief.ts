import { describeCall, type Provenance } from '../kernel/answer.ts';
import { charactersIn } from '../kernel/budget.ts';
import { counted } from '../kernel/counted.ts';
import { describeIndex, indexJson } from '../kernel/freshness.ts';
import { visible, visibleLines } from '../kernel/visible.ts';
import type { Answer } from '../platform/operation/operation.ts';
import { type Brief, lastPart, type ShownLine, type Source, type Statement } from './model/brief.ts';
import type { LineRange } from './model/question.ts';

const MAX_REPOSITORIES_NAMED = 3;
/** Share of the budget that statements may take: without sources they cannot be checked. */
const SHARE_OF_STATEMENTS = 0.6;

/** The brief in both forms, each within the budget: the last sources go first, then statements. */
export function renderBrief(operation: string, brief: Brief, maxTokens: number): Answer {
  const text = fitBrief(brief, maxTokens, (part) => composeText(operation, part));
  const json = fitBrief(brief, maxTokens, (part) => JSON.stringify(composeJson(operation, part)));
  return { text, json: JSON.parse(json) as Record<string, unknown> };
}

/** Composes as much of a brief as fits; its header, and the first statement, always. */
function fitBrief(brief: Brief, maxTokens: number, compose: (part: Brief) => string): string {
  const limit = charactersIn(maxTokens);
  const whole = compose(brief);
  if (whole.length <= limit) return whole;
  const bare = { ...brief, sources: [] };
  const statements = longestPrefix(
    brief.answer,
    (answer) => compose({ ...bare, answer }).length <= limit * SHARE_OF_STATEMENTS,
  );
  const answer = statements.length === 0 ? brief.answer.slice(0, 1) : statements;
  const short = { ...bare, answer };
  const head = [short, { ...short, next: short.next.slice(0, 1) }, { ...short, next: [], gaps: [] }].find(
    (part) => compose(part).length <= limit * 0.9,
  ) ?? { ...short, next: [], gaps: [], read: { ...short.read, words: [], absent: [] } };
  const fits = (sources: readonly Source[]): boolean => compose({ ...head, sources }).length <= limit;
  const sources = longestPrefix(brief.sources, fits);
  const last = brief.sources[sources.length];
  const lines = last === undefined ? [] : longestPrefix(last.shown, (shown) => fits([...sources, { ...last, shown }]));
  const isPartShown = last !== undefined && (lines.length > 0 || (last.shown.length === 0 && fits([...sources, last])));
  return compose({ ...head, sources: isPartShown ? [...sources, { ...last, shown: lines }] : sources });
}

/** The longest beginning of a list for which `fits` holds, which holds for every shorter one then. */
function longestPrefix<Item>(items: readonly Item[], fits: (items: readonly Item[]) => boolean): readonly Item[] {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(items.slice(0, middle))) low = middle;
    else high = middle - 1;
  }
  return items.slice(0, low);
}

function composeText(operation: string, brief: Brief): string {
  const { provenances, confidence, engine, lookedAt, gaps, next, sources } = brief;
  const isOfSeveral = provenances.length > 1;
  const header = [
    operation,
    ...nameRepositories(provenances),
    `confidence ${confidence.level} (${confidence.score.toFixed(2)})`,
    `engine ${engine}`,
    `looked at ${counted(lookedAt.calls, 'call')}, ${counted(lookedAt.places, 'place')}`,
  ].join(' · ');
  return [
    header,
    describeReading(brief.read),
    ...(brief.query === undefined ? [] : [`query: ${describeCall(brief.query.operation, brief.query.args)}`]),
    ...brief.answer.map((statement) => visible(citeStatement(statement))),
    ...sources.flatMap((source) => [describeSource(source, isOfSeveral), ...source.shown.map(showLine)]),
    ...(gaps.length === 0 ? [] : [`gaps: ${visible(gaps.join('; '))}`]),
    ...next.map(({ operation: name, args }) => `next: ${describeCall(name, args)}`),
  ].join('\n');
}

function nameRepositories(provenances: readonly Provenance[]): string[] {
  const named = provenances.slice(0, MAX_REPOSITORIES_NAMED).map(describeProvenance);
  const more = provenances.length - named.length;
  if (named.length === 0) return [];
  return [more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')];
}

function describeProvenance({ repo, commit, ref, index }: Provenance): string {
  return visible(`${repo}@${commit.slice(0, 7)} ${ref} ${describeIndex(index)}`.replace('  ', ' '));
}

function describeReading({ names, words, absent }: Brief['read']): string {
  const missing = absent.map(
    ({ word, nearest }) => `${word}${nearest.length === 0 ? '' : ` (nearest: ${nearest.join(', ')})`}`,
  );
  const parts = [
    ...(names.length === 0 ? [] : [`names ${names.map(({ name }) => name).join(', ')}`]),
    ...(words.length === 0 ? [] : [`words ${words.join(' ')}`]),
    ...(missing.length === 0 ? [] : [`absent ${missing.join(', ')}`]),
  ];
  return visible(`read: ${parts.length === 0 ? 'no words' : parts.join('; ')}`);
}

/** The sentence with its citations before the full stop. */
function citeStatement({ sentence, cites }: Statement): string {
  if (cites.length === 0) return sentence;
  const end = /[.!?:]$/.exec(sentence)?.[0] ?? '';
  return `${sentence.slice(0, sentence.length - end.length)} ${cites.map((number) => `[${number}]`).join('')}${end}`;
}

function describeSource({ number, id, kind, repo, path, lines, symbol, why }: Source, isOfSeveral: boolean): string {
  const place = path === undefined ? id : lines === undefined ? path : `${path}:${describeLines(lines)}`;
  const about = [
    `[${number}] ${kind === 'code' ? '' : `${kind} `}${isOfSeveral && repo !== '' ? `${repo}: ` : ''}${place}`,
    ...(symbol === undefined || symbol === '' ? [] : [`in ${lastPart(symbol)}`]),
    ...(why.length === 0 ? [] : [`· ${why.join('; ')}`]),
  ];
  return visible(about.join(' '));
}

function describeLines({ start, end }: LineRange): string {
  return start === end ? `${start}` : `${start}-${end}`;
}

/** A number or a bar stands before each line, so that none can be taken for a line of the brief. */
function showLine({ number, text }: ShownLine): string {
  return `${number ?? '|'} ${visibleLines(text)}`;
}

function composeJson(operation: string, brief: Brief): Record<string, unknown> {
  const { provenances, read, confidence, gaps, next, lookedAt, engine, sources } = brief;
  const [first] = provenances;
  const isSingle = provenances.length === 1 && first !== undefined;
  return {
    op: operation,
    ...(isSingle ? { repo: first.repo, ref: first.ref, commit: first.commit } : { repo: '*' }),
    index: isSingle
      ? indexJson(first.index)
      : provenances.map(({ repo, commit, index }) => ({ repo, commit, ...indexJson(index) })),
    read: { names: read.names.map(({ name }) => name), words: read.words, absent: read.absent },
    ...(brief.query !== undefined && { query: { operation: brief.query.operation, ...brief.query.args } }),
    answer: brief.answer.map(citeStatement).join('\n'),
    sources: sources.map(sourceJson),
    confidence: confidence.level,
    confidence_score: confidence.score,
    gaps,
    next: next.map(({ operation: name, args }) => describeCall(name, args)),
    looked_at: lookedAt,
    engine,
    ...brief.extra,
  };
}

function sourceJson(source: Source): Record<string, unknown> {
  const { number, id, kind, repo, path, lines, symbol, commit, why, score, shown } = source;
  return {
    n: number,
    id,
    kind,
    ...(repo !== '' && { repo }),
    ...(path !== undefined && { path }),
    ...(lines !== undefined && { lines: describeLines(lines) }),
    ...(symbol !== undefined && symbol !== '' && { symbol }),
    ...(commit !== undefined && { commit: commit.slice(0, 12) }),
    text: shown.map(({ number: line, text }) => (line === undefined ? text : `${line} ${text}`)).join('\n'),
    why,
    score,
  };
}
