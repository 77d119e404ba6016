import { compareTexts } from '../../kernel/text-order.ts';

/** A folder with the files that count for it: all below it but those of the folders that stand for themselves. */
interface FolderUnit {
  /** '' for files of the root. */
  folder: string;
  /** Ids, ascending. */
  files: number[];
}

/**
 * Files in at most `most` folders, alike in size: the largest folder that can be is split into those inside it until
 * there are enough. By path.
 */
export function splitFolders(files: readonly { id: number; path: string }[], most: number): FolderUnit[] {
  let units = [unitOf('', files)];
  const isWhole = new Set<string>();
  for (;;) {
    const largest = units
      .filter(({ key }) => !isWhole.has(key))
      .toSorted((a, b) => b.files.length - a.files.length || compareTexts(a.folder, b.folder))[0];
    if (largest === undefined) break;
    const parts = mergedParts(largest, most - units.length + 1);
    if (parts.length < 2) {
      isWhole.add(largest.key);
      continue;
    }
    units = [...units.filter((unit) => unit !== largest), ...parts];
    // Files that lie in the folder itself cannot be split further.
    for (const part of parts) if (part.isOwn) isWhole.add(part.key);
  }
  return units
    .toSorted((a, b) => compareTexts(a.folder, b.folder) || Number(a.isOwn) - Number(b.isOwn))
    .map(({ folder, files: inside }) => ({ folder, files: inside.map(({ id }) => id) }));
}

interface Unit {
  key: string;
  folder: string;
  isOwn: boolean;
  files: readonly { id: number; path: string }[];
}

/** Folders that hold nothing but one folder are passed over. */
function unitOf(folder: string, files: readonly { id: number; path: string }[]): Unit {
  const [first] = files;
  let common = first === undefined ? folder : folderOf(first.path);
  for (const { path } of files) while (!isIn(path, common)) common = folderOf(common);
  return { key: `in ${common}`, folder: common, isOwn: false, files };
}

function partsOf({ folder, files }: Unit): Unit[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const groups = Map.groupBy(files, ({ path }) => {
    const end = path.indexOf('/', start);
    return end === -1 ? undefined : path.slice(0, end);
  });
  return [...groups].map(([inside, list]) =>
    inside === undefined ? { key: `own ${folder}`, folder, isOwn: true, files: list } : unitOf(inside, list),
  );
}

/** At most `room` parts: the smallest stay together, as what lies in the folder itself. */
function mergedParts(unit: Unit, room: number): Unit[] {
  const parts = partsOf(unit).toSorted(
    (a, b) => Number(a.isOwn) - Number(b.isOwn) || b.files.length - a.files.length || compareTexts(a.folder, b.folder),
  );
  if (parts.length <= room) return parts;
  if (room < 3) return [];
  const others = parts.slice(room - 1).flatMap(({ files }) => files);
  return [...parts.slice(0, room - 1), { key: `own ${unit.folder}`, folder: unit.folder, isOwn: true, files: others }];
}

function isIn(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Purpose of a folder, by the names of the folders on its path: `src/jvmTest`, `examples`, `benchmarks/jsx`. */
export function purposeOf(folder: string): 'test' | 'docs' | 'build' | undefined {
  const words = folder
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[/_.-]/);
  return PURPOSES.find(([, names]) => words.some((word) => names.has(word)))?.[0];
}

const PURPOSES = [
  ['test', new Set('test,tests,testing,e2e,fixtures,fixture,testdata,spec,fuzz,fuzzing'.split(','))],
  ['docs', new Set('docs,doc,website,site,examples,example,samples,sample,demo,demos'.split(','))],
  ['build', new Set('build,buildsrc,scripts,tools,tooling,benchmarks,benchmark,bench,perf,ci'.split(','))],
] as const;
