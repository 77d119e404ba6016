import type { BreakingSign, RemovedExport } from '../classify/breaking.ts';
import { classifyCommit } from '../classify/classify.ts';
import { type ChangedPaths, dropsSupport, isRelease, isTrivial, joinsLines } from './changelog-trivia.ts';
import { parseHeader } from '../classify/classify-header.ts';
import type { CommitRow } from './store-commits.ts';
import { issueReferences, revertedCommits } from '../classify/trailers.ts';

/** Sections of a changelog in their order: what breaks first, then as Keep a Changelog has them. */
export const SECTIONS = [
  'Breaking changes',
  'Added',
  'Changed',
  'Deprecated',
  'Removed',
  'Fixed',
  'Performance',
  'Security',
  'Reverted',
  'Documentation',
  'Internal',
] as const;

type Section = (typeof SECTIONS)[number];

/** A commit as a changelog needs it. */
export interface ChangelogCommit extends CommitRow {
  body: string;
  changed: ChangedPaths;
  /** Exported names that it took away. */
  removed: readonly RemovedExport[];
  /** The merge that brought it in, with what it says; the innermost that names a pull request. */
  merge: { sha: string; subject: string; body: string } | undefined;
  /** The version tag that has it first; '' for what is not released. */
  version: string;
  /** True if its news fragments were removed by another release than that of its version, which announced it. */
  announcedElsewhere: boolean;
}

/** One change, which may be several commits of one pull request. */
export interface ChangelogEntry {
  section: Section;
  /** The text without type, scope and numbers. */
  text: string;
  type: string;
  breaking: boolean;
  /** The signs of it; a file that announces the change where nothing else does. */
  breakingBy: BreakingSign[];
  /** Exported names that it took away. */
  removed: RemovedExport[];
  scope: string | undefined;
  /** Issues and pull requests, in their order. */
  references: string[];
  /** Newest first. */
  shas: string[];
  author: string;
  time: number;
  version: string;
  folder: string;
}

export interface Changelog {
  /** By version, section, scope and time. */
  entries: ChangelogEntry[];
  /** Changes that users do not notice, by type. */
  skipped: Record<string, number>;
  /** Commits that were taken back within the range, with those that took them back. */
  reverted: number;
}

const BACKPORT = /^\[[\w. -]+\]\s*|\s*\[(?:backport|cherry-pick)[^\]]*\]$/gi;
const NUMBERS = /\s*\(?(?:(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?|refs?|see|pr|gh)[\s:]*)?#\d+(?:[,\s]+#\d+)*\)?\.?$/i;
const SHORTEST_ID = 7;
const REVERT_SUBJECT = /^(?:revert|reapply)[:\s]+"?(.+?)"?(?:\s*\(#\d+\))?$/i;

const FRAGMENT_SECTIONS: Record<string, Section> = {
  ...all('Added', 'feature features feat added new enhancement improvement improved'),
  ...all('Changed', 'changed change'),
  ...all('Fixed', 'bugfix bug fix fixed fixes'),
  ...all('Deprecated', 'deprecation deprecations deprecated'),
  ...all('Removed', 'removal removed'),
  ...all('Breaking changes', 'breaking'),
  ...all('Documentation', 'doc docs'),
  ...all('Performance', 'perf performance'),
  ...all('Security', 'security'),
};

const REMOVED = ['removed_export'] as const;

/** Sections that users read. */
const SHOWN: ReadonlySet<Section> = new Set(SECTIONS.slice(0, SECTIONS.indexOf('Documentation')));

/**
 * Makes a changelog of commits (newest first). Commits of one pull request are one entry; what was taken back within the
 * range is left out with what took it back; releases are left out. `types` shows further types, such as docs.
 */
export function makeChangelog(commits: readonly ChangelogCommit[], types: ReadonlySet<string>): Changelog {
  const effective = withoutReverts(commits);
  const changelogCommits = effective.filter(({ subject }) => !isRelease(subject)).map(standingAlone);
  const changes = [...Map.groupBy(changelogCommits, changeKey).values()].filter(
    (change) => !isRelease(titleOf(change)),
  );
  const usesFragments =
    changes.filter((change) => change.some(({ changed }) => changed.fragments.length > 0)).length >= 3;
  const skipped: Record<string, number> = {};
  const entries = changes.flatMap((change) => {
    const entry = entryOf(change, usesFragments);
    const isShown =
      types.size === 0 ? SHOWN.has(entry.section) : types.has(entry.type) || (types.has('breaking') && entry.breaking);
    if (isShown) return [entry];
    skipped[entry.type] = (skipped[entry.type] ?? 0) + 1;
    return [];
  });
  return { entries, skipped, reverted: commits.length - effective.length };
}

/** A commit that came in with a whole line of releases or development is no part of one piece of work. */
function standingAlone(commit: ChangelogCommit): ChangelogCommit {
  const { merge } = commit;
  return merge !== undefined && joinsLines(merge.subject) ? { ...commit, merge: undefined } : commit;
}

/** Commits without those that a later one took back, and without the latter. */
function withoutReverts(commits: readonly ChangelogCommit[]): ChangelogCommit[] {
  const gone = new Set<string>();
  const bySubject = Map.groupBy(commits, ({ subject }) => plainSubject(subject));
  // Shortened ids have seven digits or more.
  const byShortId = Map.groupBy(commits, ({ sha }) => sha.slice(0, SHORTEST_ID));
  const called = (name: string): ChangelogCommit | undefined =>
    byShortId.get(name.slice(0, SHORTEST_ID))?.find(({ sha }) => sha.startsWith(name));
  for (const commit of commits) {
    const { sha, subject, body } = commit;
    if (gone.has(sha)) continue;
    const named = revertedCommits(body);
    const quoted = plainSubject(REVERT_SUBJECT.exec(subject)?.[1] ?? '');
    const target =
      named.map(called).find((candidate) => candidate !== undefined) ??
      (named.length === 0 && quoted !== ''
        ? bySubject
            .get(quoted)
            ?.find((changelogCommit) => changelogCommit.sha !== sha && changelogCommit.time <= commit.time)
        : undefined);
    if (target === undefined || gone.has(target.sha)) continue;
    gone.add(sha).add(target.sha);
  }
  return commits.filter(({ sha }) => !gone.has(sha));
}

function plainSubject(subject: string): string {
  return subject.replace(NUMBERS, '').trim().toLowerCase();
}

/** Returns the key that makes commits one change: the pull request of their merge, or the one that ends their subject. */
function changeKey({ sha, subject, merge, version }: ChangelogCommit): string {
  const own = /\(#(\d+)\)\s*$/.exec(subject)?.[1];
  const merged = merge === undefined ? undefined : /#(\d+)/.exec(merge.subject)?.[1];
  const number = merged ?? own;
  return number === undefined ? sha : `${version}#${number}`;
}

function entryOf(change: readonly ChangelogCommit[], usesFragments: boolean): ChangelogEntry {
  const title = titleOf(change);
  const { type, breaking: isDeclaredBreaking, scope } = classOf(change, title);
  const removed = change.flatMap((commit) => commit.removed);
  const breaking = isDeclaredBreaking || removed.length > 0;
  const fragments = change.flatMap((commit) => (commit.announcedElsewhere ? [] : commit.changed.fragments));
  const references = issueReferences(
    [
      title,
      ...change.flatMap(({ subject, body, merge }) => [subject, body, merge?.subject ?? '', merge?.body ?? '']),
    ].join('\n'),
  );
  for (const { issue } of fragments)
    if (issue !== undefined && !references.includes(`#${issue}`)) references.push(`#${issue}`);
  const [newest] = change;
  const text = textOf(title);
  const byAuthor = change.some(({ labelSource }) => labelSource === 'author');
  const section = sectionOf({
    type,
    scope,
    breaking,
    text,
    fragments,
    usesFragments,
    byAuthor,
    ...whatChanges(change),
  });
  return {
    section,
    text,
    type,
    breaking: breaking || section === 'Breaking changes',
    breakingBy: [...new Set(change.flatMap((commit) => commit.breakingBy)), ...(removed.length > 0 ? REMOVED : [])],
    removed,
    scope,
    references,
    shas: change.map(({ sha }) => sha),
    author: newest?.author ?? '',
    time: newest?.time ?? 0,
    version: newest?.version ?? '',
    folder: newest?.changed.folder ?? '',
  };
}

/** Returns the title of a change: that of its pull request where a merge has it, else its own subject. */
function titleOf(change: readonly ChangelogCommit[]): string {
  const [newest] = change;
  const title = newest?.merge?.body.split('\n').find((line) => line.trim() !== '');
  const merge = newest?.merge?.subject ?? '';
  if (title !== undefined && /^merge (?:pull request|branch)/i.test(merge)) return title.trim();
  // The first commit of a branch says what it is for; later ones correct it.
  return change.at(-1)?.subject ?? '';
}

function classOf(
  change: readonly ChangelogCommit[],
  title: string,
): { type: string; breaking: boolean; scope: string | undefined } {
  const [only] = change;
  const breaking = change.some((commit) => commit.breaking);
  const scope = change.find((commit) => commit.scope !== null)?.scope ?? undefined;
  if (change.length === 1 && only !== undefined && only.subject === title) {
    return {
      type: only.type === 'unclassified' ? (only.best?.split(' ')[0] ?? only.type) : only.type,
      breaking,
      scope,
    };
  }
  const titleClass = classifyCommit({ subject: title, body: '', files: [] });
  const titleType = titleClass.type === 'unclassified' ? (titleClass.best?.[0] ?? titleClass.type) : titleClass.type;
  const type =
    titleClass.labelSource === 'author' && NOTICED.includes(titleType)
      ? titleType
      : (strongestType(change) ?? titleType);
  return { type, breaking: breaking || titleClass.breaking, scope: titleClass.scope ?? scope };
}

/** Types that users notice, the strongest first. */
const NOTICED: readonly string[] = ['feat', 'fix', 'perf'];

/** Returns the strongest type that users notice of those that the authors gave the commits of a change; undefined without one. */
function strongestType(change: readonly ChangelogCommit[]): string | undefined {
  const types = change
    .filter(({ labelSource, subject, type, scope }) => {
      return labelSource === 'author' && !isTrivial({ text: textOf(subject), type, scope: scope ?? undefined });
    })
    .map(({ type }): string => type);
  return NOTICED.find((type) => types.includes(type));
}

function whatChanges(change: readonly ChangelogCommit[]): { source: boolean; changelog: boolean } {
  return {
    source: change.some(({ changed }) => changed.source),
    changelog: change.some(({ changed }) => changed.changelog),
  };
}

interface Judged {
  type: string;
  scope: string | undefined;
  breaking: boolean;
  text: string;
  source: boolean;
  changelog: boolean;
  fragments: readonly { type: string }[];
  /** True if the project announces by fragments: then a change without one is not announced. */
  usesFragments: boolean;
  /** True if the author stated the type. */
  byAuthor: boolean;
}

function sectionOf(change: Judged): Section {
  const { type, scope, breaking, text, source, changelog, fragments, usesFragments, byAuthor } = change;
  const announced = fragments.map((fragment) => FRAGMENT_SECTIONS[fragment.type] ?? 'Internal');
  const [first] = announced.toSorted((a, b) => SECTIONS.indexOf(a) - SECTIONS.indexOf(b));
  if (breaking) return 'Breaking changes';
  if (first !== undefined) return first;
  if (usesFragments) return 'Internal';
  // Whoever uses what is dropped notices it, in whatever file that stands.
  if (dropsSupport({ text, type: byAuthor ? type : '', scope })) return 'Removed';
  if (type === 'docs') return 'Documentation';
  if (!source || (!changelog && isTrivial({ text, type: byAuthor ? type : '', scope }))) return 'Internal';
  if (/^(?:deprecate[sd]?|deprecating)\b/i.test(text)) return 'Deprecated';
  if (type === 'revert') return 'Reverted';
  if (type === 'fix') return /\b(?:security|vulnerabilit|CVE-\d)/i.test(text) ? 'Security' : 'Fixed';
  if (type === 'perf') return 'Performance';
  if (type === 'feat') return 'Added';
  // What is removed from tests, workflows and builds is nobody's loss.
  const isUpkeep = byAuthor && ['test', 'ci', 'build', 'style', 'chore'].includes(type);
  const isInternal = isUpkeep || /^(?:tests?|ci|build)$/i.test(scope ?? '');
  if (!isInternal && /^(?:remove[sd]?|removing|drop(?:s|ped)?)\b/i.test(text)) return 'Removed';
  const isLabelledChange = byAuthor && (type === 'refactor' || type === 'chore');
  return changelog || isLabelledChange ? 'Changed' : 'Internal';
}

function textOf(title: string): string {
  const { description } = parseHeader(title, '');
  const text = description.replaceAll(BACKPORT, '').replace(NUMBERS, '').trim();
  const plain = text === '' ? title.trim() : text;
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
}

function all(section: Section, words: string): Record<string, Section> {
  return Object.fromEntries(words.split(' ').map((word) => [word, section]));
}
