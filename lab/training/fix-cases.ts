import { readReport } from '../../src/localise/read-report.ts';
import { featuresOf, readSignals } from '../../src/code/localise/file-features.ts';
import { pathFacts } from '../../src/code/localise/path-features.ts';
import { FEATURES, type FileFeatures } from '../../src/code/localise/rank-files.ts';
import { classifyCommit } from '../../src/commits/classify/classify.ts';
import { pathKind } from '../../src/kernel/path-kinds.ts';
import { type LoggedCommit, readLog } from '../../src/commits/mine/git-log.ts';
import { readReportHistory } from '../../src/commits/queries/store.ts';
import type { ShardDatabase } from '../../src/indexes/shards/shards.ts';
import { openObjects } from '../../src/platform/git/git-objects.ts';
import { resolveTip } from '../../src/platform/git/git-refs.ts';
import { randomOf } from '../random.ts';
import { type CaseSource, codeShardAt, drawSome, historyShardAt, snapshotBefore } from './snapshots.ts';

/** A file that may be the place of a fault: its features in the order of `FEATURES`. */
interface Candidate {
  features: Float32Array;
  isChanged: boolean;
}

/** A fix after a snapshot, whose message serves as the report. */
export interface FixCase {
  project: string;
  sha: string;
  /** Files of source that it changed and that were there: candidates or not. */
  relevant: number;
  candidates: Candidate[];
}

/** Snapshots so many months before the newest commit; fixes of the twelve months after one are its cases. */
const SNAPSHOTS = [12, 24, 36];
const MONTHS_AFTER = 12;
const MOST_FIXES = 40;
const MOST_FILES = 5;
/** Most candidates of a case: those after them decide nothing and would fill the memory. */
const MOST_CANDIDATES = 100;
const SHORTEST_TITLE = 12;
const SEED = 41;

/** Fixes of a repository, at most 40 a snapshot, told by their messages without what names files and numbers. */
export async function readFixCases(source: CaseSource): Promise<FixCase[]> {
  await using objects = await openObjects(source.gitDir);
  const { commit: tip } = await resolveTip(source.gitDir, source.project);
  const cases: FixCase[] = [];
  for (const months of SNAPSHOTS) {
    const snapshot = await snapshotBefore(objects, tip, months);
    const until = months === MONTHS_AFTER ? tip : await snapshotBefore(objects, tip, months - MONTHS_AFTER);
    if (snapshot === '' || until === snapshot) continue;
    const log = readLog(objects, { commit: until, after: [snapshot], signal: new AbortController().signal });
    const there = new Set((await objects.run(['ls-tree', '-r', '-z', '--name-only', snapshot])).toString().split('\0'));
    const fixes = fixesAmong((await Array.fromAsync(log)).flat(), there);
    const picked = drawSome(fixes, MOST_FIXES, randomOf(SEED + months));
    if (picked.length === 0) continue;
    const shards = { code: await codeShardAt(source, snapshot), history: await historyShardAt(source, snapshot) };
    try {
      for (const { sha, report, files } of picked)
        cases.push({
          project: source.project,
          sha,
          relevant: files.length,
          candidates: candidatesOf(shards, report, files),
        });
    } finally {
      shards.code.close();
      shards.history.close();
    }
  }
  return cases;
}

interface Fix {
  sha: string;
  report: string;
  files: string[];
}

/** Commits that fix something in one to five files of source that were there, each message once. */
function fixesAmong(commits: readonly LoggedCommit[], there: ReadonlySet<string>): Fix[] {
  const fixes = new Map<string, Fix>();
  for (const { sha, subject, body, parents, changes } of commits) {
    if (parents.length > 1 || /^(?:revert|merge|backport)\b/i.test(subject)) continue;
    if (classifyCommit({ subject, body, files: changes }).type !== 'fix') continue;
    const files = changes.map(({ path }) => path).filter((path) => there.has(path) && pathKind(path) === 'source');
    const title = withoutPlaces(subject.replace(/^\w+(?:\([^)]*\))?!?:\s*/, ''));
    if (files.length === 0 || files.length > MOST_FILES || title.length < SHORTEST_TITLE) continue;
    if (!fixes.has(title))
      fixes.set(title, { sha, report: `${title}\n\n${withoutPlaces(withoutTrailers(body))}`, files });
  }
  return [...fixes.values()];
}

/** Without addresses, paths, names of files, and numbers of issues: they would give the answer away. */
function withoutPlaces(text: string): string {
  return text
    .replaceAll(/https?:\/\/\S+/g, ' ')
    .replaceAll(/\(?(?:gh-)?#\d+\)?/gi, ' ')
    .replaceAll(/[\w@.~*-]*\/[\w@./*-]+/g, ' ')
    .replaceAll(/\b[\w.-]+\.(?:[cm]?[jt]sx?|py|go|java|rs|vue|md|rst|toml|json|ya?ml)\b/g, ' ')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
}

function withoutTrailers(body: string): string {
  return body
    .split('\n')
    .filter((line) => !/^\s*(?:[\w-]+-by|closes?|fix(?:es|ed)?|refs?|see|cc)\b\s*:?/i.test(line))
    .join('\n');
}

/** The files outside of tests and prose that a report speaks for most, by the plain sum of what speaks for each. */
function candidatesOf(
  { code, history }: { code: ShardDatabase; history: ShardDatabase },
  text: string,
  changed: readonly string[],
): Candidate[] {
  const report = readReport(text);
  const past = readReportHistory(history, { text: `${report.title}\n${report.prose}`, terms: [], limit: 0 });
  const search = { ...report, words: [], history: past, changed: [], within: [], limit: 1 };
  const features = featuresOf(code, search, readSignals(code, search));
  return pathFacts(code)
    .map(({ path }, file) => ({ path, file, speaks: sumOf(features, file) }))
    .filter(({ file }) => features.test[file] !== 1 && features.prose[file] !== 1)
    .toSorted((a, b) => b.speaks - a.speaks || a.file - b.file)
    .slice(0, MOST_CANDIDATES)
    .map(({ path, file }) => ({
      features: Float32Array.from(FEATURES, (name) => features[name][file] ?? 0),
      isChanged: changed.includes(path),
    }));
}

function sumOf(features: FileFeatures, file: number): number {
  return FEATURES.reduce((sum, name) => sum + (features[name][file] ?? 0), 0);
}
