/** A file of a commit: `blob` and size tell whether another one is the same or nearly so. */
interface CommittedFile {
  path: string;
  blob: string;
  sizeBytes: number;
}

/** A folder of one version, as `docs/v1`, with its files by their path inside. */
interface VersionFolder {
  path: string;
  name: string;
  files: Map<string, CommittedFile>;
}

const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|txt)$/i;
const NUMBERED = /^(\D*)\d/;
/** Sizes that differ by less are those of a page and its edited form. */
const MOST_DIFFERENCE = 0.1;

/**
 * Documents and vendored files that the tree holds in a newer version too, with the path of the newest: folders beside each
 * other whose names differ in a number (`docs/v1`, `docs/v2`), those that they were copied from (`docs` of
 * `versioned_docs/version-1.2`), and vendored files that are the same. A number alone says nothing: most files of the older
 * folder must be in a newer one, and most of those the same or of about the same size.
 */
export function findOlderCopies(
  files: readonly CommittedFile[],
  isVendored: (path: string) => boolean = () => false,
): Map<string, string> {
  const vendored = files.filter(({ path }) => isVendored(path));
  const copied = [...files.filter(({ path }) => DOCUMENT.test(path) && !isVendored(path)), ...vendored];
  const byPath = new Map(copied.map((file) => [file.path, file]));
  const newer = new Map<string, string>();
  for (const folders of versionFamilies(copied)) {
    const [newest] = folders;
    if (newest === undefined) continue;
    const current = findCurrent(newest, folders, copied);
    const existing = new Map<string, CommittedFile>();
    for (const folder of folders) {
      const pairs = [...folder.files].flatMap(([inside, file]) => {
        const other = (current === undefined ? undefined : byPath.get(current + inside)) ?? existing.get(inside);
        return other === undefined ? [] : [{ file, other }];
      });
      if (areCopies(pairs, folder.files.size)) for (const { file, other } of pairs) newer.set(file.path, other.path);
      for (const [inside, file] of folder.files) if (!existing.has(inside)) existing.set(inside, file);
    }
  }
  addSameFiles(vendored, newer);
  return newer;
}

/** Folders with the same parent whose names differ in their numbers alone, newest first; each document is in one family a level. */
function versionFamilies(files: readonly CommittedFile[]): VersionFolder[][] {
  const families = new Map<string, Map<string, VersionFolder>>();
  for (const file of files) {
    const parts = file.path.split('/');
    for (const [at, name] of parts.slice(0, -1).entries()) {
      const stem = NUMBERED.exec(name)?.[1];
      if (stem === undefined) continue;
      const path = parts.slice(0, at + 1).join('/');
      const key = `${parts.slice(0, at).join('/')}/${stem}`;
      const family = families.get(key) ?? new Map<string, VersionFolder>();
      const folder = family.get(path) ?? { path, name, files: new Map<string, CommittedFile>() };
      folder.files.set(parts.slice(at + 1).join('/'), file);
      family.set(path, folder);
      families.set(key, family);
    }
  }
  return [...families.values()].map((family) => [...family.values()].toSorted(compareVersions));
}

/** The higher number first; of the same one what has nothing behind it, as `2.0` before `2.0-beta`. */
function compareVersions(a: VersionFolder, b: VersionFolder): number {
  const [left, right] = [numbersOf(a.name), numbersOf(b.name)];
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const difference = (right[at] ?? 0) - (left[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return a.name.length - b.name.length || b.name.localeCompare(a.name, 'en', { numeric: true });
}

/** The numbers at the start of a version, without those of what comes before it: `[2, 0]` of `v2.0-beta.3`. */
function numbersOf(name: string): number[] {
  const [digits = ''] = /\d+(?:[._]\d+)*/.exec(name) ?? [];
  return digits.split(/[._]/).map(Number);
}

/** The folder without a number that the versions are copied from, with a slash at its end. */
function findCurrent(
  newest: VersionFolder,
  folders: readonly VersionFolder[],
  files: readonly CommittedFile[],
): string | undefined {
  const matches = new Map<string, CopyPair[]>();
  for (const other of files) {
    if (folders.some(({ path }) => other.path.startsWith(`${path}/`))) continue;
    for (let end = 0; end !== -1; end = other.path.indexOf('/', end + 1)) {
      const start = end === 0 ? 0 : end + 1;
      const file = newest.files.get(other.path.slice(start));
      const folder = other.path.slice(0, start);
      if (file === undefined || folder.split('/').some((name) => NUMBERED.test(name))) continue;
      const pairs = matches.get(folder) ?? [];
      pairs.push({ file, other });
      matches.set(folder, pairs);
    }
  }
  const copies = [...matches].filter(([, pairs]) => areCopies(pairs, newest.files.size));
  const [best] = copies.toSorted(
    ([a, left], [b, right]) => countSame(right) - countSame(left) || right.length - left.length || a.length - b.length,
  );
  return best?.[0];
}

interface CopyPair {
  file: CommittedFile;
  other: CommittedFile;
}

function areCopies(pairs: readonly CopyPair[], files: number): boolean {
  if (pairs.length * 2 < files) return false;
  const similar = pairs.filter(({ file, other }) => isSame(file, other) || isOfSize(file, other)).length;
  return similar * 2 >= pairs.length && (similar > 1 || countSame(pairs) > 0);
}

function countSame(pairs: readonly CopyPair[]): number {
  return pairs.filter(({ file, other }) => isSame(file, other)).length;
}

function isSame(a: CommittedFile, b: CommittedFile): boolean {
  return a.blob === b.blob && a.sizeBytes > 0;
}

function isOfSize(a: CommittedFile, b: CommittedFile): boolean {
  const most = Math.max(a.sizeBytes, b.sizeBytes);
  return most > 0 && Math.abs(a.sizeBytes - b.sizeBytes) / most <= MOST_DIFFERENCE;
}

/** Of files with the same content the one nearest to the root counts. */
function addSameFiles(files: readonly CommittedFile[], newer: Map<string, string>): void {
  const first = new Map<string, CommittedFile>();
  const withContent = files.filter(({ sizeBytes }) => sizeBytes > 0);
  for (const file of withContent.toSorted((a, b) => a.path.length - b.path.length)) {
    const other = first.get(file.blob);
    if (other === undefined) first.set(file.blob, file);
    else if (!newer.has(file.path) && newer.get(other.path) !== file.path) newer.set(file.path, other.path);
  }
}
