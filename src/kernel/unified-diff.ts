/** First and last line, both counted from 1. */
type DiffLines = [from: number, to: number];

/** One side of a hunk. */
interface HunkSide {
  /** First line, counted from 1; of an empty side the line before. */
  start: number;
  /** Lines with those around the change, without the sign in front. */
  texts: string[];
  /** What the hunk changes on this side: the lines it removed or wrote, or the two around a gap. */
  changed: DiffLines[];
}

export interface DiffHunk {
  old: HunkSide;
  new: HunkSide;
}

/** A file of a diff; a path is absent on the side on which the file is not. */
export interface DiffFile {
  oldPath: string | undefined;
  newPath: string | undefined;
  hunks: DiffHunk[];
}

/** Changes by the paths and lines of one side of a diff. */
interface DiffChanges {
  files: { path: string; lines: DiffLines[] }[];
  /** Paths that only the other side has. */
  missing: string[];
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** How `git diff` marks the sides of paths, with `diff.mnemonicPrefix` too. */
const PREFIX = /^[abciow]\//;
const ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** True if a text is a diff as `git diff` and `diff -u` print it, that of a merge among them. */
export function isUnifiedDiff(text: string): boolean {
  return (
    /^diff --(?:git|cc|combined) /m.test(text) ||
    (/^--- /m.test(text) && /^\+\+\+ /m.test(text) && /^@@ -\d/m.test(text))
  );
}

/**
 * Reads a unified diff, with or without lines of context: as `git diff`, `git show`, `git format-patch` and `diff -u` print it.
 * Files without hunks (renames, modes, binary files, and those of a merge, which has more than two sides) come with their paths
 * alone. What is no part of a diff is skipped. Linear in the text.
 */
export function readUnifiedDiff(text: string): DiffFile[] {
  const files: DiffFile[] = [];
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  let file: (DiffFile & { isPrefixed: boolean }) | undefined;
  const begin = (): NonNullable<typeof file> => {
    file = { oldPath: undefined, newPath: undefined, hunks: [], isPrefixed: true };
    files.push(file);
    return file;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.startsWith('diff --git ')) {
      const { oldPath, newPath, isPrefixed } = gitHeader(line.slice('diff --git '.length));
      Object.assign(begin(), { oldPath, newPath, isPrefixed });
    } else if (line.startsWith('diff ')) file = undefined;
    else if (/^(?:rename|copy) from /.test(line) && file !== undefined)
      file.oldPath = pathOf(line.replace(/^\w+ from /, ''));
    else if (/^(?:rename|copy) to /.test(line) && file !== undefined)
      file.newPath = pathOf(line.replace(/^\w+ to /, ''));
    else if (line.startsWith('new file mode') && file !== undefined) file.oldPath = undefined;
    else if (line.startsWith('deleted file mode') && file !== undefined) file.newPath = undefined;
    else if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true) {
      // Plain `diff -u` has no line before these.
      const current = file === undefined || file.hunks.length > 0 ? begin() : file;
      current.oldPath = sidePath(line, current.isPrefixed);
      current.newPath = sidePath(lines[at + 1] ?? '', current.isPrefixed);
      at += 1;
    } else {
      const [matched, oldStart, oldCount, newStart, newCount] = HUNK.exec(line) ?? [];
      if (matched === undefined || file === undefined) continue;
      const counts = { old: Number(oldCount ?? 1), new: Number(newCount ?? 1) };
      const hunk = readHunk(lines, at + 1, { old: Number(oldStart), new: Number(newStart), counts });
      file.hunks.push(hunk.read);
      at = hunk.end - 1;
    }
  }
  return files.map(({ oldPath, newPath, hunks }) => ({ oldPath, newPath, hunks }));
}

/** The changed lines of the files of one side, and the paths of the files that are on the other side alone. */
export function changesOnSide(files: readonly DiffFile[], side: 'old' | 'new'): DiffChanges {
  const [path, other] = side === 'new' ? (['newPath', 'oldPath'] as const) : (['oldPath', 'newPath'] as const);
  return {
    files: files.flatMap((file) => {
      const own = file[path];
      return own === undefined ? [] : [{ path: own, lines: file.hunks.flatMap((hunk) => hunk[side].changed) }];
    }),
    missing: files.flatMap((file) => (file[path] === undefined ? (file[other] ?? []) : [])),
  };
}

/** Reads the lines of a hunk, and returns where it ends. */
function readHunk(
  lines: readonly string[],
  from: number,
  { counts, ...start }: { old: number; new: number; counts: { old: number; new: number } },
): { read: DiffHunk; end: number } {
  const sides = { old: emptySide(start.old), new: emptySide(start.new) };
  // The number of an empty side is that of the line before it.
  const next = { old: start.old + (counts.old === 0 ? 1 : 0), new: start.new + (counts.new === 0 ? 1 : 0) };
  const remaining = { ...counts };
  let at = from;
  /** Where the change that is being read begins; undefined between changes. */
  let change: { old: number; new: number } | undefined;
  const endChange = (): void => {
    if (change === undefined) return;
    for (const key of ['old', 'new'] as const) {
      const [first, last] = [change[key], next[key] - 1];
      sides[key].changed.push(last >= first ? [first, last] : [Math.max(1, first - 1), first]);
    }
    change = undefined;
  };
  for (
    ;
    at < lines.length && (remaining.old > 0 || remaining.new > 0 || lines[at]?.startsWith('\\') === true);
    at += 1
  ) {
    const line = lines[at] ?? '';
    const sign = line[0] ?? ' ';
    if (sign === '\\') continue;
    if (!' +-'.includes(sign)) break;
    if (sign === ' ') endChange();
    else change ??= { ...next };
    for (const key of ['old', 'new'] as const) {
      if (sign === (key === 'old' ? '+' : '-')) continue;
      sides[key].texts.push(line.slice(1));
      next[key] += 1;
      remaining[key] -= 1;
    }
  }
  endChange();
  return { read: sides, end: at };
}

function emptySide(start: number): HunkSide {
  return { start, texts: [], changed: [] };
}

/** The two paths of `diff --git a/x b/x`, of which neither may hold a blank unless both are the same. */
function gitHeader(text: string): { oldPath: string | undefined; newPath: string | undefined; isPrefixed: boolean } {
  const half = (text.length - 1) / 2;
  const [first, second] =
    text[half] === ' ' && text.slice(0, half).replace(PREFIX, '') === text.slice(half + 1).replace(PREFIX, '')
      ? [text.slice(0, half), text.slice(half + 1)]
      : (/^("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)$/.exec(text)?.slice(1) ?? []);
  if (first === undefined || second === undefined) return { oldPath: undefined, newPath: undefined, isPrefixed: true };
  // Without prefixes both are the same; with them they never are.
  const isPrefixed = first !== second;
  const strip = (path: string): string => (isPrefixed ? pathOf(path).replace(PREFIX, '') : pathOf(path));
  return { oldPath: strip(first), newPath: strip(second), isPrefixed };
}

/** The path of `--- a/x` and `+++ b/x`, behind which `diff -u` puts the time. */
function sidePath(line: string, isPrefixed: boolean): string | undefined {
  const [path = ''] = line.slice(4).split('\t');
  if (path === '/dev/null') return undefined;
  return isPrefixed ? pathOf(path).replace(PREFIX, '') : pathOf(path);
}

/** A path as git quotes it where it has other characters than those of ASCII: `"caf\303\251.ts"`. */
function pathOf(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  const bytes: number[] = [];
  for (const [part] of text.slice(1, -1).matchAll(/\\[0-7]{3}|\\.|[^\\]+/gs)) {
    if (!part.startsWith('\\')) bytes.push(...Buffer.from(part));
    else bytes.push(part.length === 4 ? Number.parseInt(part.slice(1), 8) : (ESCAPES[part[1] ?? ''] ?? 63));
  }
  return Buffer.from(bytes).toString();
}
