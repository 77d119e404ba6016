import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { VarintReader } from '../../kernel/varints.ts';
import { readBlock } from '../mine/change-blocks.ts';
import { pathTable } from './store-filter.ts';
import { commitId } from './store-range.ts';

/** Facts that a search over several corpora needs to compare commits with other hits. */
interface HitTerms {
  /** Commits that the search goes through. */
  documents: number;
  /** Number of them that have each of the terms. */
  having: number[];
  /** The terms that each of the commits has in its message or paths, in the order of the commits. */
  matchedTerms: string[][];
}

/** Returns how common terms are in the history, and which of them some commits have. */
export function hitTerms(
  db: ShardDatabase,
  { terms, shas }: { terms: readonly string[]; shas: readonly string[] },
): HitTerms {
  const ids = new Map(shas.map((sha, at) => [commitId(db, sha) ?? 0, at]));
  const matchedTerms = shas.map((): string[] => []);
  const statement = db.prepare('select documents, postings from term where text = ?');
  const having = terms.map((term) => {
    const row = statement.get(term) as { documents: number; postings: Uint8Array } | undefined;
    const from = new VarintReader(row?.postings ?? new Uint8Array());
    for (let commit = 0; from.more;) {
      commit += from.next();
      from.next();
      const at = ids.get(commit);
      if (at !== undefined) matchedTerms[at]?.push(term);
    }
    return row?.documents ?? 0;
  });
  const documents = Number(db.prepare('select count(*) as commits from git_commit').get()?.['commits'] ?? 0);
  return { documents, having, matchedTerms };
}

/** Returns when each of the paths was changed last, in seconds since 1970; undefined for one that is not in the history. */
export function lastChanges(db: ShardDatabase, { paths }: { paths: readonly string[] }): (number | undefined)[] {
  const last = db.derived('last_changes', () => readLastChanges(db));
  return paths.map((path) => last.get(path));
}

function readLastChanges(db: ShardDatabase): Map<string, number> {
  const { paths } = pathTable(db);
  const last = new Map<string, number>();
  const blocks = db.prepare('select first_commit as first, data from change_block order by first_commit');
  for (const { first, data } of blocks.iterate() as Iterable<{ first: number; data: Uint8Array }>)
    for (const { time, changes } of readBlock(first, data))
      for (const change of changes) {
        const path = paths[change.path] ?? '';
        last.set(path, Math.max(last.get(path) ?? 0, time));
      }
  return last;
}
