import { compareTexts } from '../../kernel/text-order.ts';
import type { GitObjects } from '../../platform/git/git-objects.ts';
import { breakingSigns } from '../classify/breaking.ts';
import { classifyCommit } from '../classify/classify.ts';
import { type DiffEnds, type FileChange, readDiff } from '../mine/diff.ts';
import { readLog } from '../mine/git-log.ts';
import type { RangeCounts } from '../queries/store-compare.ts';
import { hasPastSymbols, type PastFile, readPastFiles } from '../../code-index/past-symbols/past-symbols.ts';
import { omittedKind, pathKind } from '../../kernel/path-kinds.ts';
import { compareSymbols, joinMoves, type SymbolChange } from './compare-symbols.ts';
import { decodeAnyText } from '../../text/decode.ts';
import { wordsOf } from '../../text/words.ts';

/** Commits that are read for their types: a second. Of more only the number is known. */
const MOST_READ = 2_000;
const MOST_NAMED = 10;

/**
 * Counts the commits of a range that the indexed history does not have, from git. `byType` is empty for more than 2,000.
 *
 * @throws GitFailure when commits or trees are missing.
 */
export async function countCommits(
  objects: GitObjects,
  { from, to }: DiffEnds,
  signal: AbortSignal,
): Promise<RangeCounts> {
  const commits = from === undefined ? 0 : await objects.countBetween(from, to, signal);
  const counts: RangeCounts = { commits, merges: 0, byType: {}, breaking: [] };
  if (commits > MOST_READ) return counts;
  for await (const batch of readLog(objects, { commit: to, after: from === undefined ? [] : [from], signal })) {
    for (const { sha, subject, body, parents, changes } of batch) {
      if (parents.length > 1) {
        counts.merges += 1;
        continue;
      }
      const { type } = classifyCommit({ subject, body, files: changes });
      counts.byType[type] = (counts.byType[type] ?? 0) + 1;
      if (breakingSigns(subject, body).length > 0) counts.breaking.unshift({ sha, subject });
    }
  }
  counts.breaking.splice(MOST_NAMED);
  return counts;
}

/** Most texts parsed for one comparison, at both ends together: 2 to 4 s of processor time at most, and 15 MB. */
const MOST_TEXTS = 800;
const MOST_BYTES = 6_000_000;

/** A changed file with what happened to its symbols. */
export interface ComparedFile {
  change: FileChange;
  /** 0 code of the product, 1 what belongs to it (build, configuration), 2 tests, 3 documents, 4 lock files, generated and copied ones. */
  rank: number;
  symbols: SymbolChange[];
  /** The names it offers at both ends; undefined where it was not parsed. */
  ends?: { before: PastFile['names']; after: PastFile['names'] };
  /** Words of the code before, where it was parsed. */
  words?: ReadonlySet<string>;
}

/** The differences between two commits. */
export interface Comparison {
  /** Code of the product first, documents last; then by path. */
  files: ComparedFile[];
  /** True if lines are counted: not where contents are missing. */
  counted: boolean;
  /** Files that have symbols and were not parsed, because there are too many or their contents are missing. */
  unparsed: number;
  /** True if a limit is the reason. */
  isCut: boolean;
}

const NOTHING: PastFile = { names: { offered: new Set(), present: new Set(), sources: new Map() }, symbols: [] };

/**
 * Compares two commits: files, and the symbols of those that can be parsed, at most 800 texts of 6 MB, code of the product first.
 * What is left out does not depend on how busy the machine is.
 *
 * @throws GitFailure when a commit or its trees are not there; the signal's reason when cancelled.
 */
export async function compareCommits(
  objects: GitObjects,
  ends: DiffEnds,
  { signal, isIncluded }: { signal: AbortSignal; isIncluded: (path: string) => boolean },
): Promise<Comparison> {
  const { changes, counted } = await readDiff(objects, ends, signal);
  const files = changes
    .filter(({ path, oldPath = path }) => isIncluded(path) || isIncluded(oldPath))
    .map((change): ComparedFile => ({ change, rank: rankOf(change.path), symbols: [] }))
    .toSorted((a, b) => a.rank - b.rank || compareTexts(a.change.path, b.change.path));
  const { chosen, unparsed, isCut } = await choose(objects, files, signal);
  const missing = await parse(objects, chosen, signal);
  const joined = joinMoves(files.map(({ symbols }) => symbols));
  return {
    files: files.map((file, at) => ({ ...file, symbols: joined[at] ?? [] })),
    counted,
    unparsed: unparsed + missing,
    isCut,
  };
}

function rankOf(path: string): number {
  if (omittedKind(path) !== undefined) return 4;
  const kind = pathKind(path);
  if (kind === 'source') return 0;
  if (kind === 'test' || kind === 'bench') return 2;
  return kind === 'docs' ? 3 : 1;
}

/** A file with its contents before and after; undefined at the end where it is not. */
interface Chosen {
  file: ComparedFile;
  before: string | undefined;
  after: string | undefined;
}

/** The files that are parsed, as many as the limits allow. */
async function choose(
  objects: GitObjects,
  files: readonly ComparedFile[],
  signal: AbortSignal,
): Promise<{ chosen: Chosen[]; unparsed: number; isCut: boolean }> {
  const candidates = files
    .filter(({ change, rank }) => rank < 4 && change.status !== 'T' && hasPastSymbols(change.path, 0))
    .map((file): Chosen => {
      const { status, blobs } = file.change;
      return {
        file,
        before: status === 'A' ? undefined : blobs[0],
        after: status === 'D' ? undefined : (blobs[1] ?? blobs[0]),
      };
    })
    // A rename without edits changes no symbol.
    .filter(({ before, after }) => before !== after);
  const sizes = await objects.sizes(new Set(candidates.flatMap(({ file }) => file.change.blobs)), signal);
  const chosen: Chosen[] = [];
  let [texts, bytes, missing, large] = [0, 0, 0, 0];
  for (const candidate of candidates) {
    const blobs = [candidate.before, candidate.after].filter((blob) => blob !== undefined);
    const all = blobs.map((blob) => sizes.get(blob));
    if (all.includes(undefined)) missing += 1;
    else if (all.some((size = 0) => !hasPastSymbols(candidate.file.change.path, size))) large += 1;
    else {
      const size = all.reduce<number>((sum, some = 0) => sum + some, 0);
      if (texts + blobs.length > MOST_TEXTS || bytes + size > MOST_BYTES) continue;
      texts += blobs.length;
      bytes += size;
      chosen.push(candidate);
    }
  }
  const skipped = candidates.length - chosen.length;
  return { chosen, unparsed: skipped, isCut: skipped > missing + large };
}

/** Puts into the files what parsing tells of them. Gives how many could not be read. */
async function parse(objects: GitObjects, chosen: readonly Chosen[], signal: AbortSignal): Promise<number> {
  const blobs = new Set(chosen.flatMap(({ before, after }) => [before, after].filter((blob) => blob !== undefined)));
  const texts = new Map<string, string>();
  for await (const { blob, bytes } of objects.readBlobs(blobs, signal))
    if (bytes !== undefined) texts.set(blob, decodeAnyText(bytes));
  const sides = chosen.flatMap(({ file: { change }, before, after }) => [
    { path: change.oldPath ?? change.path, text: before === undefined ? '' : (texts.get(before) ?? '') },
    { path: change.path, text: after === undefined ? '' : (texts.get(after) ?? '') },
  ]);
  const read = await readPastFiles(sides, signal);
  let failed = 0;
  for (const [at, { file, before, after }] of chosen.entries()) {
    const then = before === undefined ? NOTHING : read[2 * at];
    const now = after === undefined ? NOTHING : read[2 * at + 1];
    if (then === undefined || now === undefined) {
      failed += 1;
      continue;
    }
    file.symbols = compareSymbols({ before: then.symbols, after: now.symbols });
    file.ends = { before: then.names, after: now.names };
    file.words = new Set(wordsOf(sides[2 * at]?.text ?? '', 'identifier'));
  }
  return failed;
}
