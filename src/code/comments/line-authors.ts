import { LRUCache } from 'lru-cache';
import { localEnvironment, runGit } from '../../platform/git/git.ts';

/** Author and time of the last change of a line. */
export interface LineAuthor {
  author: string;
  writtenAt: Date;
}

/** Lines of one file. */
interface FileLines {
  path: string;
  lines: readonly number[];
}

/** Commit that is looked up: its repository and full hash. */
interface CommitOfRepository {
  gitDir: string;
  commit: string;
  signal: AbortSignal;
}

/** git follows the history of one file in 10 to 500 ms; what is not known after this is left out. */
const DEADLINE_MS = 3_000;
const MOST_PROCESSES = 4;

/** A line takes about 100 bytes. */
const MOST_REMEMBERED = 20_000;

/**
 * Asks git who wrote lines, and remembers it: the lines of a commit never change. Repositories that lack the contents of
 * older files cannot tell, nor can those that were removed; their lines are absent from the answer.
 */
export class LineAuthors {
  readonly #authors = new LRUCache<string, LineAuthor>({ max: MOST_REMEMBERED });

  /** Authors by `path:line`. Whatever fails or takes longer than 3 s is absent; the next time it is tried again. */
  async find(commit: CommitOfRepository, files: readonly FileLines[]): Promise<Map<string, LineAuthor>> {
    const waiting = files
      .map(({ path, lines }) => ({ path, lines: lines.filter((line) => !this.#authors.has(key(commit, path, line))) }))
      .filter(({ lines }) => lines.length > 0);
    const signal = AbortSignal.any([commit.signal, AbortSignal.timeout(DEADLINE_MS)]);
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift())
        await this.#ask({ ...commit, signal }, next);
    };
    await Promise.all(Array.from({ length: MOST_PROCESSES }, work));
    const authors = new Map<string, LineAuthor>();
    for (const { path, lines } of files) {
      for (const line of lines) {
        const author = this.#authors.get(key(commit, path, line));
        if (author !== undefined) authors.set(`${path}:${line}`, author);
      }
    }
    return authors;
  }

  async #ask(commit: CommitOfRepository, { path, lines }: FileLines): Promise<void> {
    const ranges = lines.map((line) => `-L${line},${line}`);
    const args = [`--git-dir=${commit.gitDir}`, 'blame', '--porcelain', '--no-textconv', ...ranges, commit.commit];
    try {
      const options = { env: localEnvironment(), signal: commit.signal, timeoutMs: DEADLINE_MS };
      const output = await runGit([...args, '--', path], options);
      for (const [line, author] of readBlame(output.toString())) this.#authors.set(key(commit, path, line), author);
    } catch {
      // Contents that a partial clone lacks, a repository that was moved away, a deadline: then nobody is named.
    }
  }
}

function key({ gitDir, commit }: CommitOfRepository, path: string, line: number): string {
  return `${gitDir} ${commit} ${line} ${path}`;
}

/** Reads `git blame --porcelain`: of a commit it says everything with its first line only. */
function readBlame(output: string): Map<number, LineAuthor> {
  const commits = new Map<string, { author: string; seconds: number }>();
  const lines = new Map<number, string>();
  let commit = { author: '', seconds: 0 };
  for (const line of output.split('\n')) {
    const [, id, final] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (id !== undefined) {
      commit = commits.get(id) ?? { author: '', seconds: 0 };
      commits.set(id, commit);
      lines.set(Number(final), id);
    } else if (line.startsWith('author ')) commit.author = line.slice('author '.length);
    else if (line.startsWith('author-time ')) commit.seconds = Number(line.slice('author-time '.length));
  }
  return new Map(
    [...lines].map(([line, id]) => {
      const { author, seconds } = commits.get(id) ?? commit;
      return [line, { author, writtenAt: new Date(seconds * 1000) }] as const;
    }),
  );
}
