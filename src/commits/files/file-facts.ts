import { counted } from '../../kernel/counted.ts';
import { LRUCache } from 'lru-cache';
import { CODE_QUERIES } from '../../code/code.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../../indexes/indexes.ts';
import { cutHistory, explainUnknown } from '../../kernel/freshness.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { type GitObjects, openObjects } from '../../platform/git/git-objects.ts';
import type { Caller } from '../../platform/operation/operation.ts';
import {
  blame,
  type BlameRange,
  currentLines,
  ignoredRevisions,
  lineHistory,
  type LineOrigin,
  originsAmong,
} from './blame.ts';
import { CODEOWNERS_PLACES, type OwnerRule, ownersOf, parseCodeowners } from './codeowners.ts';
import { HISTORY_QUERIES, type HistorySources } from '../queries/history-queries.ts';
import { type Ownership, ownershipOf } from './ownership.ts';
import { type Reason, type ReasonComment, type ReasonSource, reasonsOf, sortReasons } from './rationale.ts';
import type { FilePeople } from '../queries/store-ownership.ts';

/** Most cached answers of git: the lines of a commit never change. */
const MOST_CACHED = 200;
/** Parts of a file of which the reasons are told apart. */
const MOST_PARTS = 100;
const MOST_SYMBOLS = 1_000;
const MOST_COMMENTS = 200;
/** A symbol of more lines is split into its members. */
const LONGEST_WHOLE = 40;
/** Fewer lines between two symbols are blank lines and braces. */
const LEAST_BETWEEN = 3;
/** Tags of comments that say why. */
const REASON_TAGS = ['WHY', 'NOTE', 'HACK'] as const;

const UNTOLD =
  'git cannot say who wrote the lines: file contents are missing (a partial clone), the repository is unavailable, or git took too long.';

const UNFOLLOWED =
  'older commits of these lines are missing: git needed more than 15 s to follow them; ask for fewer lines, or try again later.';

interface Part {
  start: number;
  end: number;
  symbol?: string;
}

interface OutlinePart {
  line: number;
  end: number;
  qualified: string;
  depth: number;
}

/** A question about one file, as of the indexed commit. */
export interface FileRequest {
  caller: Caller;
  signal: AbortSignal;
  /** Id, name or `owner/name`; the only repository of the product when absent. */
  repo?: string | undefined;
  path: string;
}

export interface FileOwnership extends Ownership {
  repository: IndexedRepository;
  path: string;
  reviewers: FilePeople['reviewers'];
  codeowners?: OwnerRule & { file: string };
  /** Reasons why something is missing, in sentences. */
  gaps: string[];
}

/** The reasons for lines of a file. */
interface RationaleRange {
  start: number;
  end: number;
  /** The symbol that the lines are, if they are one. */
  symbol?: string;
  reasons: readonly Reason[];
}

export interface FileRationale {
  repository: IndexedRepository;
  path: string;
  ranges: RationaleRange[];
  /** Reasons why something is missing, in sentences. */
  gaps: string[];
}

/**
 * Owners of files and reasons for their lines. Caches the answers of git; `reasonSources` add what other parts of the service
 * have.
 */
export class FileFacts {
  readonly #indexes: Indexes;
  readonly #reasonSources: readonly ReasonSource[];
  readonly #cache = new LRUCache<string, Promise<unknown>>({ max: MOST_CACHED });

  constructor(indexes: Indexes, reasonSources: readonly ReasonSource[] = []) {
    this.#indexes = indexes;
    this.#reasonSources = reasonSources;
  }

  /**
   * Returns the owners of a file.
   *
   * @throws ServiceError `unknown_id` when the indexed commit has no such file; `unknown_repo`, `not_indexed`.
   */
  async ownership(request: FileRequest): Promise<FileOwnership> {
    const { repository, sources, path } = await this.#open(request);
    const [history, ranges, rule] = await Promise.all([
      sources.ask(repository, ['filePeople', { path }]),
      this.#blame(repository, path),
      this.#ruleOf(repository, path),
    ]);
    const owned = ownershipOf({ history, blame: ranges, ...(rule !== undefined && { rule }) });
    return {
      ...owned,
      repository,
      path,
      reviewers: history.reviewers,
      ...(rule !== undefined && { codeowners: rule }),
      gaps: gapsOf(repository, ranges),
    };
  }

  /**
   * Returns the reasons for the lines of a file. With `lines` all commits that ever changed these (`git log -L`); otherwise,
   * for each symbol at the top of the file, those that wrote its present lines.
   *
   * @throws ServiceError as `ownership`, and `bad_argument` for lines that the file does not have.
   */
  async rationale(
    request: FileRequest & { lines?: { start: number; end: number } | undefined },
  ): Promise<FileRationale> {
    const { repository, sources, path } = await this.#open(request);
    const { lines } = request;
    const ranges = await this.#blame(repository, path);
    const ignored = new Set(await this.#ignored(repository));
    const lastLine = ranges?.at(-1)?.end;
    if (lines !== undefined && lastLine !== undefined && (lines.start > lastLine || lines.end < lines.start)) {
      throw new ServiceError(
        'bad_argument',
        `${path} has ${counted(lastLine, 'line')}, not ${lines.start}-${lines.end}.`,
        {
          fix: `Ask for lines between 1 and ${lastLine}.`,
        },
      );
    }
    const parts = lines === undefined ? await this.#partsOf(sources, repository, { path, lastLine }) : [lines];
    const comments = await this.#commentsOf(sources, repository, path);
    let isFollowed = true;
    const partsWithCommits = await Promise.all(
      parts.map(async (part) => {
        const end = Math.min(part.end, lastLine ?? part.end);
        if (lines === undefined) return { ...part, end, shas: shasIn(ranges ?? [], part) };
        const { start } = part;
        const followed = await this.#git(repository, `log ${start},${end} ${path}`, (objects, commit) =>
          lineHistory(objects, { commit, path, start, end }),
        );
        isFollowed &&= followed !== undefined;
        return { ...part, end, shas: followed?.filter((sha) => !ignored.has(sha)) ?? shasIn(ranges ?? [], part) };
      }),
    );
    const shas = [...new Set(partsWithCommits.flatMap((range) => range.shas))];
    const messages = new Map(
      (await sources.ask(repository, ['commitMessages', { shas }])).map((message) => [message.sha, message]),
    );
    const file = { caller: request.caller, repositoryId: repository.id, path };
    const placed = (await Promise.all(this.#reasonSources.map((source) => source(file)))).flat();
    const rationaleRanges = partsWithCommits.map(({ shas: own, ...part }): RationaleRange => {
      const evidence = {
        path,
        fullName: repository.fullName,
        commits: own.flatMap((sha) => messages.get(sha) ?? []),
        comments: comments.filter(({ line }) => line >= part.start && line <= part.end),
        writtenAt: (line: number) => ranges?.find(({ start, end }) => start <= line && line <= end)?.time,
      };
      const others = placed.filter(({ line = part.start }) => line >= part.start && line <= part.end);
      return { ...part, reasons: sortReasons([...reasonsOf(evidence), ...others]) };
    });
    const gaps = gapsOf(repository, ranges);
    if (ranges !== undefined && !isFollowed) gaps.push(UNFOLLOWED);
    return { repository, path, ranges: rationaleRanges, gaps };
  }

  /**
   * The commits that wrote some lines of a file last, the one with most of them first; undefined where git cannot tell.
   *
   * @throws ServiceError as `ownership`.
   */
  async lineOrigins(request: FileRequest & { lines: readonly [number, number] }): Promise<LineOrigin[] | undefined> {
    const { repository, path } = await this.#open(request);
    const ranges = await this.#blame(repository, path);
    return ranges && originsAmong(ranges, ...request.lines);
  }

  /**
   * Maps lines of a file at an older commit to the indexed one; undefined for removed ones, and for all where git cannot tell.
   *
   * @throws ServiceError as `ownership`.
   */
  async currentLines(
    request: FileRequest & { from: string; lines: readonly number[] },
  ): Promise<readonly (number | undefined)[]> {
    const { repository, path } = await this.#open(request);
    const { from, lines } = request;
    const question = `lines ${from} ${path} ${lines.join(' ')}`;
    const moved = await this.#git(repository, question, (objects, to) =>
      currentLines(objects, { from, to, path, lines }),
    );
    return moved ?? lines.map(() => undefined);
  }

  /**
   * Returns who wrote the lines of a file last, in order; undefined where git cannot tell.
   *
   * @throws ServiceError as `ownership`.
   */
  async authorsOfLines(request: FileRequest): Promise<{ commit: string; ranges: BlameRange[] | undefined }> {
    const { repository, path } = await this.#open(request);
    return { commit: repository.provenance.commit, ranges: await this.#blame(repository, path) };
  }

  /** Returns who wrote the lines of a file, without the commits that the project ignores. */
  async #blame(repository: IndexedRepository, path: string): Promise<BlameRange[] | undefined> {
    const ignored = await this.#ignored(repository);
    return this.#git(repository, `blame ${path}`, (objects, commit) => blame(objects, { commit, path, ignored }));
  }

  async #ignored(repository: IndexedRepository): Promise<readonly string[]> {
    return (await this.#git(repository, 'ignored revisions', ignoredRevisions)) ?? [];
  }

  async #partsOf(
    sources: HistorySources,
    repository: IndexedRepository,
    { path, lastLine }: { path: string; lastLine: number | undefined },
  ): Promise<Part[]> {
    const { rows } = await sources
      .with(CODE_QUERIES)
      .ask(repository, ['outline', { path, limit: MOST_SYMBOLS, offset: 0 }]);
    const end = lastLine ?? rows.reduce((most, row) => Math.max(most, row.end), 1);
    const parts = partsAmong(rows, end);
    return parts.length === 0 ? [{ start: 1, end }] : parts;
  }

  async #commentsOf(sources: HistorySources, repository: IndexedRepository, path: string): Promise<ReasonComment[]> {
    const search = { path, tags: REASON_TAGS, limit: MOST_COMMENTS, offset: 0 };
    return (await sources.with(CODE_QUERIES).ask(repository, ['comments', search])).rows;
  }

  async #ruleOf(repository: IndexedRepository, path: string): Promise<FileOwnership['codeowners']> {
    const ownerFile = await this.#git(repository, 'codeowners', async (objects, commit) => {
      const listed = (await objects.run(['ls-tree', '--name-only', commit, '--', ...CODEOWNERS_PLACES])).toString();
      const file = CODEOWNERS_PLACES.find((candidate) => listed.split('\n').includes(candidate));
      if (file === undefined) return { rules: [], file: '' };
      try {
        const text = await objects.run(['cat-file', 'blob', `${commit}:${file}`]);
        return { rules: parseCodeowners(text.toString()), file };
      } catch (error) {
        // A partial clone may lack it; then nobody is named.
        if (error instanceof GitFailure) return { rules: [], file };
        throw error;
      }
    });
    const rule = ownerFile === undefined ? undefined : ownersOf(ownerFile.rules, path);
    return rule === undefined || ownerFile === undefined ? undefined : { ...rule, file: ownerFile.file };
  }

  /**
   * Asks git about the indexed commit; undefined when its objects are not here. Runs once at a time for each question, and is
   * cached.
   */
  async #git<Result>(
    { id, gitDir, provenance }: IndexedRepository,
    question: string,
    ask: (objects: GitObjects, commit: string) => Promise<Result>,
  ): Promise<Result | undefined> {
    const key = `${id} ${provenance.commit} ${question}`;
    // Under one key there is always an answer of the same kind.
    const cached = this.#cache.get(key) as Promise<Result | undefined> | undefined;
    if (cached !== undefined) return cached;
    const pendingAnswer = (async () => {
      const folder = await gitDir?.();
      if (folder === undefined) return undefined;
      await using objects = await openObjects(folder);
      return await ask(objects, provenance.commit);
    })();
    this.#cache.set(key, pendingAnswer);
    let isCacheable = false;
    try {
      const answer = await pendingAnswer;
      isCacheable = answer !== undefined;
      return answer;
    } finally {
      // A deadline, a folder that was away, a call that was cancelled: the next time it may go well.
      if (!isCacheable) this.#cache.delete(key);
    }
  }

  async #open({ caller, signal, repo, path: given }: FileRequest): Promise<{
    repository: IndexedRepository;
    sources: HistorySources;
    path: string;
  }> {
    const path = given.trim().replace(/^(?:\.?\/)+/, '');
    const repositories = await this.#indexes.repositories(caller, repo);
    const sources = new IndexSources(this.#indexes, HISTORY_QUERIES, { caller, signal, repositories });
    for (const repository of repositories) {
      const isThere =
        (await sources.ask(repository, ['isPresent', { path }])) ||
        // The history of a shallow clone does not name every file.
        (await sources.with(CODE_QUERIES).ask(repository, ['sourceOf', { path, from: 1, to: 1 }])) !== undefined;
      if (isThere) return { repository, sources, path };
    }
    const where = sources.provenances
      .map((provenance) => `${provenance.repo}@${provenance.commit.slice(0, 7)}`)
      .join(', ');
    const unknown = new ServiceError('unknown_id', `There is no file ${path} in ${where}.`, {
      fix: 'Use a path from the root of the repository, as code-tool grep shows it.',
    });
    throw explainUnknown(unknown, sources.provenances);
  }
}

/** Symbols at the top of the file, members of long ones, and what lies between them. */
function partsAmong(symbols: readonly OutlinePart[], lastLine: number): Part[] {
  const parts: Part[] = [];
  let next = 1;
  const between = (until: number): void => {
    if (until - next + 1 >= LEAST_BETWEEN) parts.push({ start: next, end: until });
  };
  for (const { line, end, qualified, depth } of symbols) {
    const isSplit =
      depth === 0 &&
      end - line >= LONGEST_WHOLE &&
      symbols.some((symbol) => symbol.depth === 1 && symbol.line > line && symbol.end <= end);
    if (depth > 1 || isSplit || line < next) continue;
    between(line - 1);
    parts.push({ start: line, end, symbol: qualified });
    next = end + 1;
  }
  between(lastLine);
  return parts.slice(0, MOST_PARTS);
}

function shasIn(ranges: readonly BlameRange[], { start, end }: { start: number; end: number }): string[] {
  return [...new Set(ranges.filter((range) => range.start <= end && range.end >= start).map(({ sha }) => sha))];
}

function gapsOf({ provenance }: IndexedRepository, ranges: readonly BlameRange[] | undefined): string[] {
  const cut = cutHistory(provenance.index);
  return [
    ...(ranges === undefined ? [UNTOLD] : []),
    ...(cut === undefined
      ? []
      : [
          `The history is cut at ${counted(cut, 'commit')} (a shallow clone): owners, bus factor and reasons come from these commits only.`,
        ]),
  ];
}
