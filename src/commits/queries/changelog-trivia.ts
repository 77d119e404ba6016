import { compareCounts } from '../../kernel/text-order.ts';
import { pathKind } from '../../kernel/path-kinds.ts';

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
  const [most] = [...counts].toSorted(compareCounts);
  if (most === undefined) return '(no files)';
  return most[0] === '' ? '(root)' : `${most[0]}/`;
}

/** A header such as `chore: `, which may stand before what follows. */
const HEADER = String.raw`^(?:\w+(?:\([^)]*\))?!?:\s*)?`;
/** Patterns of a release's changes to itself. */
const RELEASES = [
  /^\w+\(releases?\)!?:/i,
  new RegExp(String.raw`${HEADER}(?:(?:tag|cut|prepare)\s+)?v?\d+\.\d+(?:\.\d+)*\S*(?:\s+\(#\d+\))?$`, 'i'),
  new RegExp(
    String.raw`${HEADER}(?:(?:prepare|cut|make|tag|start|begin|post|pre|finish|new)\b[\w -]{0,24}?)?\b(?:releas\w*|publish\w*|version)\b.{0,30}?\bv?\d+\.\d+`,
    'i',
  ),
  new RegExp(
    String.raw`${HEADER}bump(?:ed|ing|s)?:?\s+(?:the\s+)?(?:package\s+)?(?:versions?\b|to\s+v?\d|v?\d+\.\d)`,
    'i',
  ),
  new RegExp(
    String.raw`${HEADER}(?:(?:prepare|start|finish)\s+)?(?:for\s+)?(?:the\s+)?(?:next\s+|new\s+)?(?:release|publish|versions?|version packages|version bump)$`,
    'i',
  ),
  // `Update version constant to v1.10.0`, `Increase the version number`
  new RegExp(
    String.raw`${HEADER}(?:updat|bump|increas|increment|rais|set|chang)\w*\s+(?:the\s+)?(?:package\s+|module\s+)?version(?:\s+(?:number|constant|string))?(?:\s+(?:to|for)\b.*\d)?$`,
    'i',
  ),
  new RegExp(String.raw`${HEADER}prepare\s+(?:for\s+)?(?:the\s+)?(?:next\s+)?release\b`, 'i'),
];

/** Merges of a branch that is no piece of work: what they bring in are changes of their own. */
const LINE_OF_RELEASES =
  /^merge (?:pull request #\d+ from \S+?[/:]|(?:remote-tracking )?branch '(?:[\w.-]+\/)?)(?:releases?(?:[-/]\S*)?|develop(?:ment)?|dev|main|master|next|trunk|stable|v?\d+(?:\.(?:\d+|x))+\S*)(?:'|\s|$)/i;

/** Pattern of changes that only correct words, unless the text says that something did not work. */
const TYPO = /^(?:[\w()./-]+:?\s+){0,3}(?:typos?|misspell\w*|spelling|grammar)\b/i;
const FAILS = /\b(?:crash|caus|brok|break|fail|panic|rais|throw|wrong|leak|ignored)\w*/i;
/** Pattern of changes that tidy the source: `Fix lint errors`, `Address clippy warnings`, `Improve docstrings of the parser`. */
const TIDY =
  /^(?:fix|silenc|address|satisf|appl|adjust|tweak|clean\s?up|improv|updat|run|reformat)\w*\s+(?:up\s+)?(?:the\s+|some\s+|a\s+few\s+|more\s+)?(?:lint\w*|golangci\S*|clippy|flake8|mypy|pylint|ruff|eslint|prettier|gofmt|rustfmt|code\s?style|formatting|whitespace|indentation|comments?|docstrings?|(?:unit\s+|flaky\s+)?tests?|test suite|ci|workflows?)\b/i;
/** `Run submodule tests`, `Fix upload tests` */
const OWN_TESTS = /^(?:fix|adjust|improv|updat|run|stabili[sz]|speed\s+up)\w*\s+(?:[\w-]+\s+){1,2}tests?$/i;
const SMALL_DOCS = /^(?:small\s+|minor\s+|tiny\s+)?(?:docs?|comment|annotation)\s+(?:fix|typo|change|update)/i;
/** `Remove unused imports`: nobody used them. */
const UNUSED =
  /^(?:remov|delet|drop)\w*\s+(?:an?\s+|the\s+|some\s+)?(?:unused|unnecessary|unneeded|redundant|dead|useless|duplicated?)\s+(?:\w+\s+)?(?:imports?|variables?|code|comments?|assignments?|conversions?|checks?|whitespace|lines?|dependenc\w+)\b/i;
/** Upkeep that a `chore` names: dependencies, least versions, tools. */
const UPKEEP =
  /^(?:bump|upgrad|updat|support|chang|add|pin|improv|test)\w*\b.*(?:\bdependenc\w+|\bdeps?\b|\bmin(?:imum)?\b.*\bversions?\b|\bgo versions?\b|\blint\w*|\bgolangci\S*|\bcode style\b|\bworkflows?\b|\bgithub actions\b|\b(?:biome|black|clippy|eslint|flake8|gofmt|isort|mypy|nox|pre-?commit|prettier|pylint|pyright|ruff|rustfmt|tox)\b)/i;
const UPKEEP_SCOPE = /^(?:ci|ci\/cd|cd|deps?(?:-dev)?|dependencies|build|release|tests?|lint\w*)$/i;

/** `Drop support for Ruby < 2.6`, `Remove Python 3.7 support`, `Stop supporting Node 16`. */
const SUPPORT_DROPPED =
  /^(?:(?:drop|remov)\w*\s+(?:[\w.+#<>=/&,-]+\s+){0,4}support\b|end\w*\s+support\s+(?:for|of)\s|stop\w*\s+supporting\s)/i;
/** Pattern of support that only the checks or the own sources of the project use. */
const OWN_SUPPORT =
  /\b(?:ci|tests?|test suite|workflows?|pipelines?|travis|appveyor|github actions|jenkins|benchmarks?)\b/i;

/** True if a change takes the support of something away from those who use the product. */
export function dropsSupport({
  text,
  type,
  scope,
}: {
  text: string;
  type: string;
  scope: string | undefined;
}): boolean {
  if (type === 'ci' || type === 'test' || type === 'docs' || UPKEEP_SCOPE.test(scope ?? '')) return false;
  return SUPPORT_DROPPED.test(text) && !OWN_SUPPORT.test(text);
}

/** Pattern of subjects that only join branches. */
const JOINS = /^merge\b/i;

/** True if a subject makes a release. */
export function makesRelease(subject: string): boolean {
  return RELEASES.some((pattern) => pattern.test(subject.trim()));
}

/** True if a subject makes a release, or joins branches. */
export function isRelease(subject: string): boolean {
  return JOINS.test(subject.trim()) || makesRelease(subject);
}

/** True if a merge brought in a line of releases or development, by its subject. */
export function joinsLines(subject: string): boolean {
  return LINE_OF_RELEASES.test(subject);
}

/** True if a change, by its text without the header, is nothing that users notice. */
export function isTrivial({ text, type, scope }: { text: string; type: string; scope: string | undefined }): boolean {
  if (TYPO.test(text) && !FAILS.test(text)) return true;
  if (TIDY.test(text) || OWN_TESTS.test(text) || SMALL_DOCS.test(text) || UNUSED.test(text)) return true;
  if (type !== 'chore' && type !== 'build') return false;
  return UPKEEP.test(text) || UPKEEP_SCOPE.test(scope ?? '');
}
