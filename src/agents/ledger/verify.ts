import { comparable, type Entry, hashText } from './ledger.ts';

/** Reads places as they are in the index now. */
export interface PlaceReader {
  /** The lines of a file; undefined when the file or the lines are not there. */
  lines: (repo: string, path: string, range: { start: number; end: number }) => Promise<string | undefined>;
  /** The whole file; undefined when it is not there. */
  file: (repo: string, path: string) => Promise<string | undefined>;
  /** What the message of a commit says, its subject at least when that is the quote; undefined when the history does not have it. */
  commit: (entry: Pick<Entry, 'repo' | 'id' | 'date' | 'text'>) => Promise<string | undefined>;
  /** The text of a document, plan, signal, decision or change, or of one of its sections; undefined when it is not there. */
  text: (entry: Pick<Entry, 'id' | 'kind' | 'section'>) => Promise<string | undefined>;
}

/** How a source was found again. A source that moved has the lines where it stands now. */
export type Verdict =
  | { state: 'verified' }
  | { state: 'moved'; lines: { start: number; end: number } }
  | { state: 'missing'; why: string };

/** Lines between two sources of a file that are read with them: they cost less than another read. */
const MOST_BETWEEN = 60;
/** Lines that are read at once, fewer than tools give. */
const MOST_AT_ONCE = 300;

/** Looks up every entry in the index. Costs one read for the entries that are near each other in a file, one more for what moved. */
export async function verifyEntries(entries: readonly Entry[], reader: PlaceReader): Promise<Map<number, Verdict>> {
  const near = withNearLines(entries, reader);
  const verdicts = await Promise.all(entries.map(async (entry) => [entry.number, await verify(entry, near)] as const));
  return new Map(verdicts);
}

interface Stretch {
  start: number;
  end: number;
  text: Promise<string | undefined> | undefined;
}

/** A reader that reads the lines of entries near each other at once. */
function withNearLines(entries: readonly Entry[], reader: PlaceReader): PlaceReader {
  const stretches = new Map<string, Stretch[]>();
  const placed = entries.flatMap(({ repo, path, lines }) =>
    path === undefined || lines === undefined ? [] : [{ file: `${repo}\n${path}`, ...lines }],
  );
  for (const { file, start, end } of placed.toSorted((a, b) => a.start - b.start)) {
    const known = stretches.get(file) ?? [];
    const last = known.at(-1);
    if (last !== undefined && start - last.end - 1 <= MOST_BETWEEN && end - last.start < MOST_AT_ONCE)
      last.end = Math.max(last.end, end);
    else stretches.set(file, [...known, { start, end, text: undefined }]);
  }
  const lines: PlaceReader['lines'] = async (repo, path, range) => {
    const around = stretches
      .get(`${repo}\n${path}`)
      ?.find(({ start, end }) => start <= range.start && range.end <= end);
    if (around === undefined) return reader.lines(repo, path, range);
    around.text ??= reader.lines(repo, path, around);
    const text = await around.text;
    return text
      ?.split('\n')
      .slice(range.start - around.start, range.end - around.start + 1)
      .join('\n');
  };
  return { ...reader, lines };
}

async function verify(entry: Entry, reader: PlaceReader): Promise<Verdict> {
  if (entry.kind === 'code') return verifyLines(entry, reader);
  const found = entry.kind === 'commit' ? await reader.commit(entry) : await reader.text(entry);
  if (found === undefined) return { state: 'missing', why: `${entry.id} is not there` };
  return contains(found, entry.text) ? { state: 'verified' } : { state: 'missing', why: `${entry.id} does not say it` };
}

async function verifyLines(entry: Entry, reader: PlaceReader): Promise<Verdict> {
  const { repo, path, lines, hash } = entry;
  if (path === undefined || lines === undefined) return { state: 'missing', why: `${entry.id} names no lines` };
  const there = await reader.lines(repo, path, lines);
  if (there !== undefined && hashText(there) === hash) return { state: 'verified' };
  const file = await reader.file(repo, path);
  if (file === undefined) return { state: 'missing', why: `${path} is not in the index` };
  const start = findLines(file, entry.text);
  if (start === undefined) return { state: 'missing', why: `the lines of ${entry.id} have changed` };
  return { state: 'moved', lines: { start, end: start + lines.end - lines.start } };
}

/** The line at which a block of lines begins in a file, if it stands there exactly once. */
function findLines(file: string, block: string): number | undefined {
  const all = file.split(/\r?\n/).map((line) => line.trim());
  const wanted = block.split(/\r?\n/).map((line) => line.trim());
  if (comparable(block) === '') return undefined;
  const starts = all.flatMap((_, at) => (wanted.every((line, by) => all[at + by] === line) ? [at + 1] : []));
  return starts.length === 1 ? starts[0] : undefined;
}

/** Whether a text says something, whatever the line ends and spaces. */
function contains(text: string, quote: string): boolean {
  return flat(quote) !== '' && flat(text).includes(flat(quote));
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
