import { purposeOf } from '../../code/map/map.ts';
import { folderOf } from './components.ts';
import type { BuildFile, GraphInput } from './repository-graph.ts';

/** Hidden folders, and those that ship or drive the product from outside. */
const BESIDE = /(?:^|\/)(?:\.[^/]+|contrib|cypress|docker|packaging)\//;

/** Texts in one language, which some frameworks keep in code: `lang/de_DE/auth.php`, `locales/fr.ts`. Of `lang/go` that cannot be said. */
const TRANSLATIONS =
  /(?:^|\/)(?:(?:locales?|i18n|l10n|translations)\/(?:[^/]+\/)*[a-z]{2}(?:[-_][A-Za-z]{2,4})?|(?:resources\/lang\/[a-z]{2}|lang\/[a-z]{2}[-_][A-Za-z]{2,4}))(?:\/|\.\w+$)/;

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
  return BESIDE.test(path) || TRANSLATIONS.test(path);
}
