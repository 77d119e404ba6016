import type { FileNames } from '../../code-index/offered-names/offered-names.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { definitionOf } from '../../languages/languages.ts';
import { LARGEST_COMPARED } from '../mine/git-log.ts';
import type { OfferedNames, PastObjects } from './offered-names.ts';
import { wordsOf } from '../../text/words.ts';

/** The change of a commit to one file, line by line. */
interface FilePatch {
  /** '' of a new file. */
  oldPath: string;
  newPath: string;
  /** Object ids; '' where there is none. */
  oldBlob: string;
  newBlob: string;
  removed: string[];
  added: string[];
}

/** Words after which a name is declared, in the languages that are parsed; `static` is a constant in Rust only. */
const DECLARED =
  /\b(?:(?:function\*?|class|interface|type|enum|const|let|var|def|func|fn|struct|trait|mod|module|object|val|union|record|namespace|protocol|macro_rules!|define)\s+([\p{L}_$][\p{L}\p{N}_$]*)|static\s+(?:mut\s+)?(\w+):)/gu;
/** Words before a declaration that say who may see it. */
const VISIBILITY = /\b(?:export|public|pub|internal|protected|private|fileprivate|package)\b/g;
/** A line of a comment in languages with braces. */
const COMMENT = /^\s*(?:\/\/|\/?\*)/;
/**
 * A name alone, as lists of exports and groups of constants have it: `  name,`, `Name = 1`, `name as other,`. No two parts
 * of it can share a word: on a line of half a million characters that would take minutes.
 */
const LISTED =
  /^[ \t]{0,4}(?:type\s+)?["']?([\p{L}_$][\p{L}\p{N}_$]*)["']?(?:\s+as\s+([\p{L}_$][\w$]*))?(?:\s*(?:[,=:]|$)|(?:\s+|\.)[\w.]+\s*=)/u;
/** Begins a commit. Every line of a file has a sign before it, so none can look like one. */
const MARK = '\n\u0001';
const NO_OBJECT = /^0+$/;

/**
 * Names that some lines of a file seem to declare or hand on, each with the words of its line that say who may see it: a guess
 * that reads no syntax and misses little.
 */
export function declaredNames(path: string, lines: readonly string[]): Map<string, string> {
  const { exportLines, declaresAtMargin = false, listsNames = false } = definitionOf(path) ?? {};
  const names = new Map<string, string>();
  for (const line of lines) {
    if (COMMENT.test(line)) continue;
    const listed = listsNames ? (LISTED.exec(line) ?? []).slice(1) : [];
    const words = exportLines?.test(line) === true ? wordsOf(line, 'identifier') : [];
    for (const name of [...listed, ...words]) if (name !== undefined) names.set(name, '');
    if (declaresAtMargin && /^\s/.test(line)) continue;
    for (const { 1: name, 2: constant, index } of line.matchAll(DECLARED))
      names.set(name ?? constant ?? '', line.slice(0, index).match(VISIBILITY)?.join(' ') ?? '');
  }
  return names;
}

/** Reads `git log -p --unified=0 --full-index --format=%x01%H`: the changed files of each commit by object id. */
export function readPatches(output: string): Map<string, FilePatch[]> {
  const commits = new Map<string, FilePatch[]>();
  for (const part of `\n${output}`.split(MARK).slice(1)) {
    const end = part.indexOf('\n');
    const sha = end === -1 ? part : part.slice(0, end);
    commits.set(sha, end === -1 ? [] : part.slice(end).split('\ndiff --git ').slice(1).map(readFile));
  }
  return commits;
}

function readFile(text: string): FilePatch {
  const file: FilePatch = { oldPath: '', newPath: '', oldBlob: '', newBlob: '', removed: [], added: [] };
  let isHead = true;
  for (const line of text.split('\n')) {
    if (isHead) {
      const [, before, after] = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/.exec(line) ?? [];
      if (before !== undefined && after !== undefined) {
        file.oldBlob = NO_OBJECT.test(before) ? '' : before;
        file.newBlob = NO_OBJECT.test(after) ? '' : after;
      } else if (line.startsWith('--- a/')) file.oldPath = line.slice(6);
      else if (line.startsWith('+++ b/')) file.newPath = line.slice(6);
      else if (line.startsWith('@@')) isHead = false;
    } else if (line.startsWith('-')) file.removed.push(line.slice(1));
    else if (line.startsWith('+')) file.added.push(line.slice(1));
  }
  // Git puts a tab behind paths with blanks.
  file.oldPath = file.oldPath.replace(/\t$/, '');
  file.newPath = file.newPath.replace(/\t$/, '');
  if (file.newPath === '') file.newPath = file.oldPath;
  return file;
}

/** Commits of one git process. */
const BATCH = 500;
/** Only code declares anything: lock files and data would make patches long. */
const CODE_FILES = 'ts tsx mts cts js jsx mjs cjs py go rs java kt scala cs swift php rb h hh hpp hxx'
  .split(' ')
  .map((ending) => `*.${ending}`);
/** Prefix of a module that is re-exported whole among the names. */
const WHOLE_MODULE = '* of ';

/** A commit whose files may have lost names. */
interface Candidate {
  sha: string;
  paths: readonly string[];
}

/**
 * The exported names that commits took from files, by object id and path as it was before; a commit whose contents are not
 * here is absent. A name that the commit declares again in another file has moved, and is not removed. 3 ms a commit, and
 * 3 ms for each text that is parsed.
 */
export async function findRemovedExports(
  search: Search,
  candidates: readonly Candidate[],
): Promise<Map<string, ReadonlyMap<string, readonly string[]>>> {
  const removedBySha = new Map<string, ReadonlyMap<string, readonly string[]>>();
  for (let from = 0; from < candidates.length; from += BATCH)
    for (const [sha, removed] of await removedIn(search, candidates.slice(from, from + BATCH)))
      removedBySha.set(sha, removed);
  return removedBySha;
}

/** The parts that a search works with. */
interface Search extends PastObjects {
  names: OfferedNames;
}

/** A file that seems to have lost names, with its contents before and after. */
interface Suspect {
  sha: string;
  patch: FilePatch;
  /** True if the commit declares a name in another of its files. */
  isElsewhere: (name: string) => boolean;
}

async function removedIn(
  search: Search,
  candidates: readonly Candidate[],
): Promise<Map<string, Map<string, readonly string[]>>> {
  const patches = await patchesOf(search, candidates);
  const removed = new Map([...patches.keys()].map((sha) => [sha, new Map<string, readonly string[]>()]));
  const suspects = candidates.flatMap(({ sha, paths }) => suspectsIn(sha, paths, patches.get(sha) ?? []));
  if (suspects.length === 0) return removed;
  const sides = suspects.flatMap(({ patch }) => [
    { path: patch.oldPath, blob: patch.oldBlob },
    { path: patch.newPath, blob: patch.newBlob },
  ]);
  const names = await search.names.of(search, sides);
  for (const [at, { sha, patch, isElsewhere }] of suspects.entries()) {
    const [before, after] = [names[2 * at], names[2 * at + 1]];
    if (before === undefined || after === undefined) continue;
    const lost = [...before.offered].filter((name) => !isPresent(after, name, before) && !isElsewhere(name));
    // A module that is handed on under another path has moved; one that is handed on by names need not have lost any.
    const gained = [...after.offered].filter((name) => !before.offered.has(name));
    const hasStar = gained.some((name) => name.startsWith(WHOLE_MODULE));
    const lostNames = hasStar ? [] : lost.filter((name) => gained.length === 0 || !name.startsWith(WHOLE_MODULE));
    if (lostNames.length > 0) removed.get(sha)?.set(patch.oldPath, lostNames);
  }
  return removed;
}

/** True if a name that was there before still is: also by re-exporting all of the module that it came from. */
export function isPresent({ present }: FileNames, name: string, { sources }: FileNames): boolean {
  return present.has(name) || present.has('*') || present.has(`${WHOLE_MODULE}${sources.get(name)}`);
}

/** The files of a commit on whose removed lines something is declared that its added lines do not declare for the same readers. */
function suspectsIn(sha: string, paths: readonly string[], patches: readonly FilePatch[]): Suspect[] {
  const requestedPaths = new Set(paths);
  const declared = patches.map((patch) => ({ patch, names: declaredNames(patch.newPath, patch.added) }));
  const suspects = declared.filter(
    ({ patch, names }) =>
      requestedPaths.has(patch.oldPath) &&
      [...declaredNames(patch.oldPath, patch.removed)].some(([name, visibility]) => names.get(name) !== visibility),
  );
  if (suspects.length === 0) return [];
  const filesOf = new Map<string, number>();
  for (const { names } of declared) for (const name of names.keys()) filesOf.set(name, (filesOf.get(name) ?? 0) + 1);
  return suspects.map(({ patch, names }) => ({
    sha,
    patch,
    isElsewhere: (name) => (filesOf.get(name) ?? 0) > Number(names.has(name)),
  }));
}

/**
 * The changed files of commits. Where git cannot tell them all, commits whose contents are not here are left out, and then the
 * commits halved, until only those are left out that it cannot tell.
 */
async function patchesOf(search: Search, candidates: readonly Candidate[]): Promise<Map<string, readonly FilePatch[]>> {
  const shown = ['--unified=0', '--full-index', '--find-renames', '--no-textconv', '--no-ext-diff', '--no-color'];
  const limits = ['-c', `core.bigFileThreshold=${LARGEST_COMPARED}`, '-c', 'core.quotePath=false'];
  const range = ['--no-walk=unsorted', '--stdin', '-p', '--format=%x01%H'];
  const args = ['--no-literal-pathspecs', ...limits, 'log', ...range, ...shown, '--', ...CODE_FILES];
  try {
    const input = `${candidates.map(({ sha }) => sha).join('\n')}\n`;
    return readPatches((await search.objects.run(args, search.signal, input)).toString());
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error;
    const [{ sha } = { sha: '' }] = candidates;
    if (candidates.length === 1) {
      // Where git cannot even read the commit something else is wrong, which must not be kept as an answer.
      await search.objects.run(['rev-parse', '--verify', `${sha}^{tree}`], search.signal);
      return new Map();
    }
    const here = await withContents(search, candidates);
    if (here.length < candidates.length) return here.length === 0 ? new Map() : await patchesOf(search, here);
    const middle = Math.ceil(candidates.length / 2);
    const first = await patchesOf(search, candidates.slice(0, middle));
    return new Map([...first, ...(await patchesOf(search, candidates.slice(middle)))]);
  }
}

/** The commits whose files are here, before and after. */
async function withContents({ objects, signal }: Search, candidates: readonly Candidate[]): Promise<Candidate[]> {
  const args = [
    '--no-literal-pathspecs',
    'log',
    '--no-walk=unsorted',
    '--stdin',
    '--raw',
    '--no-renames',
    '--no-abbrev',
  ];
  const input = `${candidates.map(({ sha }) => sha).join('\n')}\n`;
  const output = await objects.run([...args, '--format=%x01%H', '--', ...CODE_FILES], signal, input);
  const blobs = new Map(
    `\n${output.toString('latin1')}`.split(MARK).map((part): [string, string[]] => {
      const [sha = '', ...lines] = part.split('\n');
      return [sha, lines.flatMap((line) => line.split(' ').slice(2, 4)).filter((id) => !NO_OBJECT.test(id))];
    }),
  );
  const there = await objects.sizes(new Set([...blobs.values()].flat()), signal);
  return candidates.filter(({ sha }) => blobs.get(sha)?.every((id) => there.has(id)) ?? true);
}
