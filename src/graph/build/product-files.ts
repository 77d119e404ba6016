import { folderOf } from '../../kernel/paths.ts';
import { purposeOf } from '../../code/map/map.ts';
import type { BuildFile, GraphInput } from './repository-graph.ts';
import { isPathOf } from '../../kernel/path-kinds.ts';

/**
 * Code of the product itself: no tests, examples or tools. What the product uses, or lies in a Python package of it, is a part
 * of it, whatever its folder is called: `services/benchmark`, `lark/tools`.
 */
export function productFiles({ files, depends }: Pick<GraphInput, 'files' | 'depends'>): BuildFile[] {
  const own = files.filter(({ isCode, isTest, isGenerated }) => isCode && !isTest && !isGenerated);
  const packages = new Set(files.flatMap(({ path }) => (path.endsWith('/__init__.py') ? [folderOf(path)] : [])));
  const isBeside = ({ path }: BuildFile): boolean => {
    const folder = folderOf(path);
    const purpose = purposeOf(folder);
    const isInside = purpose === 'build' && packages.has(folder) && packages.has(folderOf(folder));
    return (purpose !== undefined && !isInside) || isNeverOwn(path);
  };
  const selected = new Set(own.filter((file) => !isBeside(file)));
  // A repository that is all examples has layers, too.
  if (selected.size === 0) return own;
  for (const { id } of selected)
    for (const target of depends[id] ?? []) {
      const used = files[target];
      const canBe = used?.isCode === true && !used.isTest && !used.isGenerated && !isNeverOwn(used.path);
      if (used !== undefined && canBe) selected.add(used);
    }
  return own.filter((file) => selected.has(file));
}

function isNeverOwn(path: string): boolean {
  return isPathOf('delivery', path) || isPathOf('translation', path);
}
