import { pathKind } from '../classify/classify-paths.ts';

/** A file that announces one change, in the way of towncrier. */
interface Fragment {
  path: string;
  type: string;
  /** The issue that names it. */
  issue: string | undefined;
}

/** The facts about the files of a commit that a changelog needs. */
export interface ChangedPaths {
  /** True if code of the product is among them. */
  source: boolean;
  /** True if it wrote into a changelog. */
  changelog: boolean;
  /** News fragments it added or changed, such as `changelog/12.bugfix.rst`. */
  fragments: Fragment[];
  /** The folder, two levels at most, that most of them lie in, with a `/` at its end. */
  folder: string;
}

const CHANGELOG = /(^|\/)(changelog|changes|history|news|releases?|release[-_]?notes|whats-?new)(\.[a-z]+)?$/i;
/** As towncrier, scriv, reno and changesets keep them. */
const FRAGMENT =
  /(^|\/)(?:changelog|changes|changelog\.d|changes\.d|newsfragments|news|\.changes?)\/(?:[\w-]+\/)*\+?([\w-]+)\.([a-z]+)(?:\.\d+)?(?:\.(?:rst|md|txt))?$/i;
const CHANGESET = /(^|\/)\.changeset\/(?!readme)[^/]+\.md$/i;
/** Types of fragments; other words are the endings of ordinary files. */
const FRAGMENT_TYPES = new Set(
  (
    'feature features feat added new enhancement improvement improved changed change bugfix bug fix fixed fixes deprecation ' +
    'deprecations deprecated removal removed breaking doc docs perf performance security misc trivial internal contrib ' +
    'packaging vendor vendored process dev other'
  ).split(' '),
);

/** True if a path is that of a news fragment. */
export function isFragment(path: string): boolean {
  return FRAGMENT_TYPES.has((FRAGMENT.exec(path)?.[3] ?? '').toLowerCase());
}

/** Reads what the files of a commit tell. Removed fragments are those of a release, and tell nothing. */
export function changedPaths(files: readonly { path: string; status: string }[]): ChangedPaths {
  const changed: ChangedPaths = {
    source: false,
    changelog: false,
    fragments: [],
    folder: commonFolder(files.map(({ path }) => path)),
  };
  for (const { path, status } of files) {
    const [, , name = '', type = ''] = FRAGMENT.exec(path) ?? [];
    if (FRAGMENT_TYPES.has(type.toLowerCase())) {
      if (status !== 'D') changed.fragments.push({ path, type: type.toLowerCase(), issue: /^\d+/.exec(name)?.[0] });
    } else if (CHANGESET.test(path)) changed.changelog ||= status !== 'D';
    else if (CHANGELOG.test(path)) changed.changelog = true;
    else changed.source ||= pathKind(path) === 'source';
  }
  return changed;
}

/** The folder, two levels at most, that most paths lie in. */
export function commonFolder(paths: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.split('/').slice(0, -1).slice(0, 2).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([a, many], [b, more]) => more - many || (a < b ? -1 : 1));
  if (most === undefined) return '(no files)';
  return most[0] === '' ? '(root)' : `${most[0]}/`;
}
