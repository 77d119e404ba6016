import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isTestPath } from '../../src/kernel/path-kinds.ts';
import { CODE_FORMAT } from '../../src/code-index/format/shard-schema.ts';
import { semanticSearch } from '../../src/code/queries/store.ts';
import { openShard, type ShardDatabase } from '../../src/indexes/shards/shards.ts';
import { termsOf } from '../../src/text/terms.ts';
import { runIndexProcess } from '../../src/worker/index-process.ts';

/**
 * Measures how well the ranked search finds what a commit changes by its subject alone:
 * `node lab/retrieval/commit-queries.ts <git directory> ...`.
 *
 * The repository is indexed 500 first parents ago. Each commit since then is a question: its subject without type, scope
 * and number, of at least four terms. Answers are the 1 to 10 functions outside of tests whose lines it changes, each line
 * traced back to the indexed commit. Prints the mean reciprocal rank among the first ten functions of each repository and
 * over all questions. Ten seconds to two minutes a repository.
 */
const COMMITS = 500;
const LEAST_TERMS = 4;
const MOST_ANSWERS = 10;
const SHOWN = 10;
const KINDS = ['function', 'method'] as const;
/** Subjects that say nothing about code. */
const OFF_TOPIC = /^merge|^bump|release|^v?\d+\.\d|revert|typo|changelog|depend/i;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;

interface Function {
  id: number;
  path: string;
  first: number;
  last: number;
}

/** Lines that a diff takes from one file and gives to another: `before.count` lines from `before.first` on. */
interface Hunk {
  before: { first: number; count: number };
  after: { first: number; count: number };
}

const all: number[] = [];
for (const gitDir of process.argv.slice(2)) {
  const ranks = await ranksOf(gitDir);
  all.push(...ranks);
  console.log(`${gitDir}: ${ranks.length} questions, MRR@10 ${mean(ranks)}`);
}
console.log(`all: ${all.length} questions, MRR@10 ${mean(all)}`);

/** The reciprocal rank of the first answer to each question; 0 where it is not among those shown. */
async function ranksOf(gitDir: string): Promise<number[]> {
  const commits = git(gitDir, 'rev-list', '--first-parent', `--max-count=${COMMITS + 1}`, 'HEAD')
    .trim()
    .split('\n');
  const indexed = commits.at(-1) ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'svc-commits-'));
  try {
    const targetFile = join(folder, 'code.db');
    const task = { gitDir, commit: indexed, repository: 'bench', factsCache: join(folder, 'facts'), targetFile };
    const { signal } = new AbortController();
    await runIndexProcess({ kind: 'code', ...task }, { signal, onProgress: () => undefined });
    const db = openShard(targetFile, CODE_FORMAT);
    const functions = Map.groupBy(functionsOf(db), ({ path }) => path);
    const ranks = commits.slice(0, -1).flatMap((commit) => {
      const query = questionOf(git(gitDir, 'log', '-1', '--format=%s', commit).trim());
      const answers = query === undefined ? [] : changedFunctions({ gitDir, indexed, commit }, functions);
      if (query === undefined || answers.length === 0 || answers.length > MOST_ANSWERS) return [];
      const { rows } = semanticSearch(db, { query, limit: SHOWN, offset: 0, kinds: [...KINDS] });
      const rank = rows.findIndex(({ path, start }) =>
        answers.some((answer) => answer.path === path && answer.first === start),
      );
      return [rank === -1 ? 0 : 1 / (rank + 1)];
    });
    db.close();
    return ranks;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function functionsOf(db: ShardDatabase): Function[] {
  const query = `select s.id, f.path, s.line as first, s.end_line as last from symbol s join file f on f.id = s.file
     where s.kind in (${KINDS.map((kind) => `'${kind}'`).join(', ')})`;
  return db.prepare(query).all() as unknown as Function[];
}

/** The subject as a question; undefined for one that says nothing about code, or little. */
function questionOf(subject: string): string | undefined {
  const question = subject
    .replace(/\(#\d+\)|#\d+/g, '')
    .replace(/^\w+(?:\([^)]*\))?!?:\s*/, '')
    .replace(/^\[[^\]]*\]\s*/, '')
    .trim();
  return OFF_TOPIC.test(question) || new Set(termsOf(question)).size < LEAST_TERMS ? undefined : question;
}

/** The innermost indexed functions whose lines a commit changes, without tests. */
function changedFunctions(
  { gitDir, indexed, commit }: { gitDir: string; indexed: string; commit: string },
  functions: ReadonlyMap<string, readonly Function[]>,
): Function[] {
  const changed = new Set<Function>();
  for (const [path, hunks] of hunksOf(gitDir, `${commit}^`, commit)) {
    const there = functions.get(path) ?? [];
    if (there.length === 0 || isTestPath(path)) continue;
    const since = hunksOf(gitDir, indexed, `${commit}^`, path).get(path) ?? [];
    for (const { before } of hunks) {
      const first = tracedBack(since, before.first);
      const last = tracedBack(since, before.first + Math.max(0, before.count - 1));
      const hit = first < 1 ? [] : there.filter((candidate) => candidate.first <= last && candidate.last >= first);
      for (const inner of hit)
        if (!hit.some((other) => other !== inner && other.first >= inner.first && other.last <= inner.last))
          changed.add(inner);
    }
  }
  return [...changed];
}

/** Returns the changes between two commits, by path; empty where contents are missing. Renames are not followed. */
function hunksOf(gitDir: string, from: string, to: string, path?: string): Map<string, Hunk[]> {
  const byPath = new Map<string, Hunk[]>();
  let hunks: Hunk[] = [];
  try {
    const options = ['-U0', '--no-color', '--no-renames', '--no-ext-diff'];
    for (const line of git(gitDir, 'diff', ...options, from, to, '--', path ?? '.').split('\n')) {
      if (line.startsWith('--- a/')) byPath.set(line.slice(6), (hunks = []));
      const header = HUNK.exec(line);
      if (header === null) continue;
      const [first = 0, count = 1, laterFirst = 0, laterCount = 1] = header
        .slice(1)
        .map((digits) => (digits === undefined ? undefined : Number(digits)));
      hunks.push({ before: { first, count }, after: { first: laterFirst, count: laterCount } });
    }
  } catch {
    return new Map();
  }
  return byPath;
}

/** Returns the number of a line before some changes: the nearest line that they replaced, 0 for an added one. */
function tracedBack(changes: readonly Hunk[], line: number): number {
  let shift = 0;
  for (const { before, after } of changes) {
    // A side without lines names the line before it.
    const end = after.count === 0 ? after.first + 1 : after.first + after.count;
    if (after.count > 0 && line >= after.first && line < end)
      return before.count === 0 ? 0 : Math.min(before.first + before.count - 1, before.first + line - after.first);
    if (line >= end) shift += before.count - after.count;
  }
  return line + shift;
}

function git(gitDir: string, ...args: readonly string[]): string {
  return execFileSync('git', [`--git-dir=${gitDir}`, ...args], {
    encoding: 'utf8',
    maxBuffer: 1e9,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function mean(values: readonly number[]): string {
  return ((values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)) * 100).toFixed(1);
}
