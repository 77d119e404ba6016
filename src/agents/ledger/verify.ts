import { comparable, type Entry, hashText } from './ledger.ts';

/** Reads places as they are in the index now. */
export interface PlaceReader {
  /** The lines of a file; undefined when the file or the lines are not there. */
  lines: (repo: string, path: string, range: { start: number; end: number }) => Promise<string | undefined>;
  /** The whole file; undefined when it is not there. */
  file: (repo: string, path: string) => Promise<string | undefined>;
  /** What the message of a commit says, its subject at least when that is the quote; undefined when the history does not have it. */
  commit: (repo: string, id: string, quote: string) => Promise<string | undefined>;
  /** The text of a document, plan, signal, decision or change, or of one of its sections; undefined when it is not there. */
  text: (entry: Pick<Entry, 'id' | 'kind' | 'section'>) => Promise<string | undefined>;
}

/** How a source was found again. A source that moved has the lines where it stands now. */
export type Verdict =
  | { state: 'verified' }
  | { state: 'moved'; lines: { start: number; end: number } }
  | { state: 'missing'; why: string };

/** Looks up every entry in the index. Costs one read an entry, two for one that moved. */
export async function verifyEntries(entries: readonly Entry[], reader: PlaceReader): Promise<Map<number, Verdict>> {
  const verdicts = await Promise.all(
    entries.map(async (entry) => [entry.number, await verify(entry, reader)] as const),
  );
  return new Map(verdicts);
}

async function verify(entry: Entry, reader: PlaceReader): Promise<Verdict> {
  if (entry.kind === 'code') return verifyLines(entry, reader);
  const found =
    entry.kind === 'commit' ? await reader.commit(entry.repo, entry.id, entry.text) : await reader.text(entry);
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
