import { folderOf } from '../../kernel/paths.ts';
import { compareTexts } from '../../kernel/text-order.ts';
import type { BuildFile } from './repository-graph.ts';

/** A part of the code that may be a layer. */
export interface LayerUnit {
  /** Folder, '' for the root. */
  folder: string;
  /** True if only the files directly in the folder belong to it, and its folders are parts of their own. */
  isOwn: boolean;
  files: BuildFile[];
}

/** A part with a larger share of the code is divided into its folders. */
const LARGEST_SHARE = 0.35;
/** A package stands for itself beside the others, until it is nearly all of the code. */
const LARGEST_PACKAGE_SHARE = 0.75;
const MOST_UNITS = 40;

/** Folders in which repositories of several packages keep them, whether manifests say so or not. */
const WORKSPACES = /^(?:(?:.*\/)?(?:apps|applications)|(?:.*\/)?(?:packages|libs|libraries|crates|projects))$/;

/**
 * The code of the product by the folders that its pictures show: not too deep, none too large, and packages apart. `packages` are the
 * folders that manifests make one.
 */
export function layerUnits(code: readonly BuildFile[], packages: ReadonlySet<string>): LayerUnit[] {
  let units: LayerUnit[] = [narrowUnit({ folder: '', isOwn: false, files: [...code] })];
  const largestShare = ({ folder }: LayerUnit): number =>
    folder !== '' && packages.has(folder) ? LARGEST_PACKAGE_SHARE : LARGEST_SHARE;
  const isLarge = (unit: LayerUnit): boolean => unit.files.length > code.length * largestShare(unit);
  for (;;) {
    const largest = units
      .filter((unit) => !unit.isOwn && (isLarge(unit) || isWorkspace(unit, packages)))
      .toSorted((a, b) => b.files.length - a.files.length || compareTexts(a.folder, b.folder))[0];
    if (largest === undefined) break;
    const parts = partsOf(largest, { packages, areWhole: isWorkspace(largest, packages) });
    if (parts.length < 2 || units.length + parts.length - 1 > MOST_UNITS) {
      units = units.map((unit) => (unit === largest ? { ...unit, isOwn: true } : unit));
      continue;
    }
    units = [...units.filter((unit) => unit !== largest), ...parts];
  }
  return units.filter(({ files: inside }) => inside.length > 0).toSorted((a, b) => compareTexts(a.folder, b.folder));
}

/** Folders that hold nothing but one folder are passed over: `src/main/java/com/example`. */
function narrowUnit({ folder, files, isOwn }: LayerUnit): LayerUnit {
  const [first] = files;
  let common = first === undefined ? folder : folderOf(first.path);
  for (const { path } of files) while (!isIn(path, common)) common = folderOf(common);
  return { folder: common.length > folder.length ? common : folder, isOwn, files };
}

/** True if a folder contains packages and nothing else. */
function isWorkspace({ folder, files }: LayerUnit, packages: ReadonlySet<string>): boolean {
  if (folder === '' || files.some(({ path }) => folderOf(path) === folder)) return false;
  const inside = new Set(files.map(({ path }) => path.slice(0, path.indexOf('/', folder.length + 1))));
  return inside.size > 1 && (WORKSPACES.test(folder) || [...inside].filter((child) => packages.has(child)).length > 1);
}

/** The folders of a part. Packages keep their own name: `libs/ui`, not `libs/ui/src/lib`. */
function partsOf(
  unit: LayerUnit,
  { packages, areWhole }: { packages: ReadonlySet<string>; areWhole: boolean },
): LayerUnit[] {
  const { folder, files } = narrowUnit(unit);
  const start = folder === '' ? 0 : folder.length + 1;
  const groups = Map.groupBy(files, ({ path }) => {
    const end = path.indexOf('/', start);
    return end === -1 ? undefined : path.slice(0, end);
  });
  return [...groups].map(([inside, list]) =>
    inside === undefined
      ? { folder, isOwn: true, files: list }
      : areWhole || packages.has(inside)
        ? { folder: inside, isOwn: false, files: list }
        : narrowUnit({ folder: inside, isOwn: false, files: list }),
  );
}

function isIn(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
