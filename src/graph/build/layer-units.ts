import { purposeOf } from '../../code/reading/reading.ts';
import { compare } from '../model/model.ts';
import { folderOf } from './components.ts';
import type { BuildFile } from './repository-graph.ts';

/** A part of the code that may be a layer. */
export interface LayerUnit {
  /** Folder, '' for the root. */
  folder: string;
  /** Whether only what lies in the folder itself belongs to it, and its folders are parts of their own. */
  isOwn: boolean;
  files: BuildFile[];
}

/** A part with a larger share of the code is divided into its folders. */
const LARGEST_SHARE = 0.35;
const MOST_UNITS = 40;

/** The code of a repository that is no test, example or tool, by the folders that its pictures show: not too deep, none too large. */
export function layerUnits(files: readonly BuildFile[]): LayerUnit[] {
  const code = productFiles(files);
  let units: LayerUnit[] = [narrowUnit({ folder: '', isOwn: false, files: code })];
  for (;;) {
    const largest = units
      .filter(({ isOwn, files: inside }) => !isOwn && inside.length > code.length * LARGEST_SHARE)
      .toSorted((a, b) => b.files.length - a.files.length || compare(a.folder, b.folder))[0];
    if (largest === undefined) break;
    const parts = partsOf(largest);
    if (parts.length < 2 || units.length + parts.length - 1 > MOST_UNITS) {
      units = units.map((unit) => (unit === largest ? { ...unit, isOwn: true } : unit));
      continue;
    }
    units = [...units.filter((unit) => unit !== largest), ...parts];
  }
  return units.filter(({ files: inside }) => inside.length > 0).toSorted((a, b) => compare(a.folder, b.folder));
}

/** Hidden folders, and those that ship or drive the product from outside. */
const BESIDE = /(?:^|\/)(?:\.[^/]+|contrib|cypress|docker|packaging)\//;

/** Code of the product itself: no tests, examples or tools. */
export function productFiles(files: readonly BuildFile[]): BuildFile[] {
  const own = files.filter(({ isCode, isTest, isGenerated }) => isCode && !isTest && !isGenerated);
  const kept = own.filter(({ path }) => purposeOf(folderOf(path)) === undefined && !BESIDE.test(path));
  // A repository that is all examples has layers, too.
  return kept.length > 0 ? kept : own;
}

/** Folders that hold nothing but one folder are passed over: `src/main/java/com/example`. */
function narrowUnit({ folder, files, isOwn }: LayerUnit): LayerUnit {
  const [first] = files;
  let common = first === undefined ? folder : folderOf(first.path);
  for (const { path } of files) while (!isIn(path, common)) common = folderOf(common);
  return { folder: common.length > folder.length ? common : folder, isOwn, files };
}

function partsOf({ folder, files }: LayerUnit): LayerUnit[] {
  const start = folder === '' ? 0 : folder.length + 1;
  const groups = Map.groupBy(files, ({ path }) => {
    const end = path.indexOf('/', start);
    return end === -1 ? undefined : path.slice(0, end);
  });
  return [...groups].map(([inside, list]) =>
    inside === undefined
      ? { folder, isOwn: true, files: list }
      : narrowUnit({ folder: inside, isOwn: false, files: list }),
  );
}

function isIn(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
