import { counted } from '../../kernel/counted.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import { GitFailure } from '../../platform/git/git.ts';
import { openObjects } from '../../platform/git/git-objects.ts';
import type { RemovedExport } from '../classify/breaking.ts';
import { isPresent } from '../removals/find-removed-exports.ts';
import type { HistorySources } from '../queries/history-queries.ts';
import { filesAt, OfferedNames } from '../removals/offered-names.ts';
import { MOST_LOOKED_INTO, type RemovalRequest, type StoredRemovals } from '../queries/store-removed-exports.ts';

/** Files of a range that are compared at its two ends. */
const MOST_COMPARED = 500;

const APART = 'removed exports are looked for in the indexed history only, and this is another';

interface RemovedExports {
  /** By object id; commits that removed nothing are not there. */
  bySha: ReadonlyMap<string, readonly RemovedExport[]>;
  /** Reasons why something may be missing, in sentences. */
  gaps: string[];
  /** True if some commits have not been examined yet. */
  isPending: boolean;
}

/** The two ends of a range, as object ids in full. */
export interface RangeEnds {
  from: string;
  to: string;
}

/** The parts of a call that the finder needs. */
interface FinderCall {
  sources: HistorySources;
  signal: AbortSignal;
}

/** Tells the exported names that commits removed, as they were found after the index run. */
export class RemovedExportsFinder {
  readonly #names = new OfferedNames();
  /** One question at a time parses: the others wait, and often find what they want. */
  #last: Promise<unknown> = Promise.resolve();

  /**
   * The exported names that some commits removed from the interface of a library: what `isPublicPath` says is public in the
   * indexed commit. With `ends` only names count that are there at the beginning of a range and gone at its end: the files
   * concerned, at most 500, are parsed at both, 3 ms each, and remembered. The same index gives the same answer.
   */
  async of(
    call: FinderCall,
    repository: IndexedRepository,
    { ends, ...request }: RemovalRequest & { ends?: RangeEnds | undefined },
  ): Promise<RemovedExports> {
    if (repository.apartFrom !== undefined) return { bySha: new Map(), gaps: [APART], isPending: false };
    const stored = await call.sources.ask(repository, ['storedRemovals', request]);
    const bySha = new Map(stored.removed.map(({ sha, removed }) => [sha, removed]));
    const gaps = gapsOf(stored);
    const isPending = stored.pending > 0;
    if (ends === undefined || bySha.size === 0) return { bySha, gaps, isPending };
    const between = await this.#inTurn(() => this.#between(call, repository, { ends, bySha }));
    if (between === undefined)
      gaps.push('removed exports may have been restored since: the ends of the range are unknown');
    return { bySha: between ?? bySha, gaps, isPending };
  }

  #inTurn<Found>(work: () => Promise<Found>): Promise<Found> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Leaves out what came and went within a range, and what came back. Undefined where git cannot tell. */
  async #between(
    { signal }: FinderCall,
    repository: IndexedRepository,
    { ends, bySha }: { ends: RangeEnds; bySha: ReadonlyMap<string, readonly RemovedExport[]> },
  ): Promise<ReadonlyMap<string, readonly RemovedExport[]> | undefined> {
    const gitDir = await repository.gitDir?.();
    const paths = [...new Set([...bySha.values()].flat().map(({ path }) => path))];
    if (gitDir === undefined || paths.length > MOST_COMPARED) return undefined;
    await using objects = await openObjects(gitDir);
    const past = { objects, signal };
    const sides = [ends.from, ends.to].map(async (commit) => this.#names.of(past, await filesAt(past, commit, paths)));
    const named = await Promise.all(sides).catch((error: unknown) => {
      if (!(error instanceof GitFailure)) throw error;
      return undefined;
    });
    if (named === undefined) return undefined;
    const [before, after] = named;
    const at = new Map(paths.map((path, index) => [path, index]));
    const isGone = ({ path, name }: RemovedExport): boolean => {
      const index = at.get(path) ?? -1;
      const [then, now] = [before?.[index], after?.[index]];
      return then?.offered.has(name) === true && (now === undefined || !isPresent(now, name, then));
    };
    return new Map(
      [...bySha].flatMap(([sha, removed]) => {
        const gone = removed.filter(isGone);
        return gone.length === 0 ? [] : [[sha, gone] as const];
      }),
    );
  }
}

function gapsOf({ pending, beyond, unknown }: StoredRemovals): string[] {
  return [
    ...(pending === 0
      ? []
      : [
          `removed exports of ${counted(pending, 'commit')} are not known yet: the service looks for them after each index run, so repeat the call in a minute`,
        ]),
    ...(unknown === 0
      ? []
      : [
          `removed exports of ${counted(unknown, 'commit')} are unknown: file contents are missing (a partial clone), or too much changed`,
        ]),
    ...(beyond === 0
      ? []
      : [`removed exports were searched for in the newest ${MOST_LOOKED_INTO} commits of the history`]),
  ];
}
