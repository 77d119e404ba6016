import type { OwnershipMap } from '../../src/commits/history-bodies.ts';

type OwnedFile = OwnershipMap['files'][number];

/** A file, or a folder with all that is below it. */
export interface OwnedArea {
  path: string;
  isFolder: boolean;
  files: number;
  lines: number;
  /** Main owner, by index; of a folder: of the files with most of its lines. Null where no owner is known. */
  owner: number | null;
  /** 0 to 1: of the recent commits to a file; of the lines of a folder, those of files that are mainly theirs. */
  share: number;
  /** The fewest people who mainly own more than half of it; 0 where no owner is known. */
  busFactor: number;
  /** 0 to 1: its lines in files whose bus factor is 1. */
  alone: number;
}

/** A part that may be opened further: the files below it. */
interface Part {
  path: string;
  isFolder: boolean;
  files: readonly OwnedFile[];
  lines: number;
}

/** Lists the direct content of a folder, '' for the root, most lines first. */
export function areasIn(files: readonly OwnedFile[], folder: string): OwnedArea[] {
  return partsOf(filesBelow(files, folder), folder).map(areaOf);
}

/**
 * A folder as at most `most` files and folders that hold all of it: the largest folders are opened first. A folder with more
 * direct children than that is not opened, except the requested one.
 */
export function areasWithin(files: readonly OwnedFile[], folder: string, most: number): OwnedArea[] {
  const closed = partsOf(filesBelow(files, folder), folder);
  const done: Part[] = [];
  while (closed.length > 0) {
    const largest = closed.reduce((best, part) => (part.lines > best.lines ? part : best));
    closed.splice(closed.indexOf(largest), 1);
    const inside = largest.isFolder ? partsOf(largest.files, largest.path) : [];
    if (inside.length === 0 || closed.length + done.length + inside.length > most) done.push(largest);
    else closed.push(...inside);
  }
  return done.map(areaOf);
}

/** A person and the files that are mainly theirs. */
export interface OwningPerson {
  owner: number;
  files: number;
  lines: number;
  /** 0 to 1, of all lines. */
  share: number;
  /** Lines of those files whose bus factor is 1. */
  alone: number;
}

/** Main owners of the files below a folder, those of most lines first. */
export function ownersIn(files: readonly OwnedFile[], folder: string): OwningPerson[] {
  const inside = filesBelow(files, folder);
  const all = linesOf(inside);
  const people = [...Map.groupBy(inside, ({ owner }) => owner)].flatMap(([owner, owned]): OwningPerson[] => {
    if (owner === null) return [];
    const lines = linesOf(owned);
    return [{ owner, files: owned.length, lines, share: lines / all, alone: linesOf(owned.filter(isAlone)) }];
  });
  return people.toSorted((a, b) => b.lines - a.lines || a.owner - b.owner);
}

function filesBelow(files: readonly OwnedFile[], folder: string): readonly OwnedFile[] {
  return folder === '' ? files : files.filter(({ path }) => path.startsWith(`${folder}/`));
}

/** Files and folders directly in a folder, most lines first. */
function partsOf(files: readonly OwnedFile[], folder: string): Part[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const groups = Map.groupBy(files, ({ path }) => {
    const end = path.indexOf('/', start);
    return end === -1 ? path : path.slice(0, end + 1);
  });
  const parts = Array.from(groups, ([name, inside]): Part => {
    const isFolder = name.endsWith('/');
    return { path: isFolder ? name.slice(0, -1) : name, isFolder, files: inside, lines: linesOf(inside) };
  });
  return parts.toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1));
}

function areaOf({ path, isFolder, files, lines }: Part): OwnedArea {
  const alone = linesOf(files.filter(isAlone)) / lines;
  const [file] = files;
  if (!isFolder && file !== undefined) {
    const { owner, owner_pct: percent, bus_factor: busFactor } = file;
    return { path, isFolder, files: 1, lines, owner, share: percent / 100, busFactor, alone };
  }
  const people = ownersIn(files, '');
  const total = people.reduce((sum, person) => sum + person.lines, 0);
  let [counted, busFactor] = [0, 0];
  for (const person of people) {
    if (counted > total / 2) break;
    counted += person.lines;
    busFactor += 1;
  }
  const owner = people[0]?.owner ?? null;
  return { path, isFolder, files: files.length, lines, owner, share: people[0]?.share ?? 0, busFactor, alone };
}

function isAlone({ bus_factor: busFactor }: OwnedFile): boolean {
  return busFactor === 1;
}

function linesOf(files: readonly OwnedFile[]): number {
  return files.reduce((sum, { lines }) => sum + lines, 0);
}
