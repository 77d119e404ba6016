import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommitText } from '../../src/commits/classify/classify-features.ts';
import { type CommitType, parseHeader } from '../../src/commits/classify/classify-header.ts';
import { type LoggedCommit, readLog } from '../../src/commits/mine/git-log.ts';
import { openObjects } from '../../src/platform/git/git-objects.ts';
import { resolveTip } from '../../src/platform/git/git-refs.ts';

/** The newest commits of a type that one project may give, so that no project and no type drowns the others. */
const MOST_OF_A_TYPE = 250;
const BOT = /\[bot\]|\bbot\b|renovate|dependabot|github-actions|release-please|greenkeeper/i;
/** Made by programs, the same in every project: they teach nothing. */
const BY_PROGRAM = /^(release|bump version|v?\d+\.\d+|update (dependency|lockfile)|publish|merge )/i;
const LEAST_CHARACTERS = 8;
const TYPE_LINE =
  /^\s*[*-]?\s*(feat|fix|docs?|refactor|tests?|chore|perf|build|ci|style|revert|types|wip)(\([^)]*\))?!?:/i;

/** A commit whose author says its type, with the message as if the author had not. */
export interface Example {
  project: string;
  sha: string;
  type: CommitType;
  commit: CommitText;
}

/**
 * Reads the examples of the projects that lie in `mirror` as `<owner>+<name>/repo`. Only their ids and what is counted
 * leaves this folder: no text of theirs is kept.
 *
 * @throws Error naming a project that is not there.
 */
export async function readCorpus(mirror: string, projects: readonly string[]): Promise<Example[]> {
  const examples: Example[] = [];
  for (const project of projects) {
    const gitDir = join(mirror, project.replace('/', '+'), 'repo');
    if (!existsSync(gitDir)) throw new Error(`${project} is not in ${mirror}`);
    examples.push(...(await readProject(project, gitDir)));
  }
  return examples;
}

async function readProject(project: string, gitDir: string): Promise<Example[]> {
  await using objects = await openObjects(gitDir);
  const { commit } = await resolveTip(gitDir, project);
  const logged = await Array.fromAsync(readLog(objects, { commit, signal: new AbortController().signal }));
  const perType = new Map<CommitType, number>();
  const subjects = new Set<string>();
  const examples: Example[] = [];
  for (const loggedCommit of logged.flat().toReversed()) {
    const example = exampleOf(project, loggedCommit);
    if (example === undefined) continue;
    const key = example.commit.subject.toLowerCase();
    const count = perType.get(example.type) ?? 0;
    if (count >= MOST_OF_A_TYPE || subjects.has(key)) continue;
    subjects.add(key);
    perType.set(example.type, count + 1);
    examples.push(example);
  }
  return examples;
}

function exampleOf(project: string, logged: LoggedCommit): Example | undefined {
  const { sha, subject, body, changes, authorName, authorEmail } = logged;
  if (changes.length === 0 || BOT.test(`${authorName} ${authorEmail}`)) return undefined;
  const { type, description } = parseHeader(subject, '');
  // Signs and other words for a type are too seldom, and a revert is recognised by its words.
  if (type === undefined || type === 'revert' || !/^[a-z]+(\([^)]*\))?!?:/i.test(subject)) return undefined;
  const text = description.replaceAll(/\(#\d+\)/g, '').trim();
  if (text.length < LEAST_CHARACTERS || BY_PROGRAM.test(text)) return undefined;
  const lines = body.split('\n').filter((line) => !TYPE_LINE.test(line));
  const files = changes.map(({ path, status, growth }) => ({ path, status, growth }));
  return { project, sha, type, commit: { subject: text, body: lines.join('\n').trim(), files } };
}

/** Hash of the commits and of the types that their authors gave them. */
export function corpusHash(examples: readonly Example[]): string {
  const hash = createHash('sha256');
  for (const { sha, type } of examples) hash.update(`${sha} ${type}\n`);
  return hash.digest('hex');
}
