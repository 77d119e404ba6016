import type { Entry } from '../ledger/ledger.ts';
import type { Verdict } from '../ledger/verify.ts';
import type { Paragraph, Sentence } from './prose.ts';

/** A source of an answer, numbered as the answer cites it. */
export interface Source extends Entry {
  cited: number;
}

/** An answer whose every sentence stands on what the index says. */
export interface Settled {
  /** Each as one text with its `[n]`. */
  paragraphs: readonly { text: string; isList: boolean }[];
  sources: readonly Source[];
  /** Sources that are not there any more; what stood on them alone is left out. */
  dropped: readonly string[];
}

/**
 * Puts numbers behind sentences in the order in which they are cited. A sentence whose sources are all gone is left out; one that
 * never had any begins with `unverified:`, unless it only leads to a list.
 */
export function settle(paragraphs: readonly Paragraph[], verdicts: ReadonlyMap<number, Verdict>): Settled {
  const sources = new Map<number, Source>();
  const dropped = new Set<string>();
  const numberOf = (entry: Entry): number | undefined => {
    const verdict = verdicts.get(entry.number);
    if (verdict === undefined || verdict.state === 'missing') {
      dropped.add(verdict?.why ?? `${entry.id} was not looked up`);
      return undefined;
    }
    const known = sources.get(entry.number);
    if (known !== undefined) return known.cited;
    const cited = sources.size + 1;
    sources.set(entry.number, { ...entry, ...(verdict.state === 'moved' && moveEntry(entry, verdict.lines)), cited });
    return cited;
  };
  const said = new Set<string>();
  const written = paragraphs.flatMap(({ sentences, isList = false }) => {
    // Two parts of one text may be quoted with the same words.
    const fresh = sentences.filter(({ text }) => text.endsWith(':') || (!said.has(text) && said.add(text).has(text)));
    const texts = fresh.flatMap((sentence) => withNumbers(sentence, isList, numberOf));
    // A list of which only its lead is left says nothing.
    if (texts.length === 0 || (isList && texts.length === 1 && texts[0]?.endsWith(':') === true)) return [];
    return [{ text: texts.join(isList ? '\n' : ' '), isList }];
  });
  return { paragraphs: written, sources: [...sources.values()], dropped: [...dropped] };
}

function withNumbers(
  { text, sources }: Sentence,
  isList: boolean,
  numberOf: (entry: Entry) => number | undefined,
): string[] {
  if (sources.length === 0) return isList && text.endsWith(':') ? [text] : [`unverified: ${text}`];
  const numbers = [...new Set(sources.map(numberOf))].filter((number) => number !== undefined);
  if (numbers.length === 0) return [];
  const cited = `${withoutStop(text)} ${numbers.map((number) => `[${number}]`).join('')}${/[.!?]$/.test(text) ? '.' : ''}`;
  return [isList ? `- ${cited}` : cited];
}

function withoutStop(text: string): string {
  return text.replace(/[.!?]$/, '');
}

function moveEntry(entry: Entry, lines: { start: number; end: number }): Pick<Entry, 'id' | 'lines'> {
  const { start, end } = lines;
  return { lines, id: start === end ? `${entry.path}:${start}` : `${entry.path}:${start}-${end}` };
}

/** What stands between quotation marks is said by others. */
const QUOTED = /(“[^”]*”)/;
/** A word that may be a path, in back quotes or not, without what ends a sentence. */
const PATH = /`?([^\s`():,;]*[^\s`():,;.])/g;

/** Sentences that name the repository before each path of their sources (`shop: src/mail.ts:3`), as is needed where several were read. */
export function nameRepositories(paragraphs: readonly Paragraph[]): Paragraph[] {
  return paragraphs.map((paragraph) => ({
    ...paragraph,
    sentences: paragraph.sentences.map((sentence) => ({ ...sentence, text: withRepositories(sentence) })),
  }));
}

function withRepositories({ text, sources }: Sentence): string {
  const repos = new Map(
    sources.flatMap(({ path, repo }) => (path === undefined || repo === '' ? [] : [[path, repo] as const])),
  );
  return text
    .split(QUOTED)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(PATH, (word, path: string) => named(repos, word, path))))
    .join('');
}

function named(repos: ReadonlyMap<string, string>, word: string, path: string): string {
  const repo = repos.get(path);
  return repo === undefined ? word : `${repo}: ${word}`;
}

/** The entries that some paragraphs cite, each once. */
export function citedEntries(paragraphs: readonly Paragraph[]): Entry[] {
  const all = paragraphs.flatMap(({ sentences }) => sentences.flatMap(({ sources }) => sources));
  return [...new Map(all.map((entry) => [entry.number, entry])).values()];
}
