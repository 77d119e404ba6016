import { compareCounts } from '../kernel/text-order.ts';
import type { FileBlame, OwnershipMap } from './history-bodies.ts';
import { CODE_QUERIES } from '../code/code.ts';
import { type IndexedRepository, type Indexes, IndexSources } from '../indexes/indexes.ts';
import { ownershipJson } from './files/artifact-json.ts';
import { FileFacts, HISTORY_QUERIES } from './commits.ts';
import type { Caller } from '../platform/operation/operation.ts';

/** More are never drawn nor listed. */
const MOST_FILES = 20_000;

interface WorkedOn {
  path: string;
  busFactor: number;
  /** The main owner first. */
  owners: readonly { author: string; decayedPercent: number }[];
}

/** Joins the lines of files with who works on them, largest first, at most 20,000. People are listed by the lines of their files. */
export function ownershipMap(
  sizes: readonly { path: string; lines: number }[],
  worked: readonly WorkedOn[],
): Omit<OwnershipMap, 'commit' | 'omitted'> {
  const byPath = new Map(worked.map((file) => [file.path, file]));
  const shown = sizes.toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1)).slice(0, MOST_FILES);
  const lines = new Map<string, number>();
  for (const { path, lines: count } of shown) {
    const author = byPath.get(path)?.owners[0]?.author;
    if (author !== undefined) lines.set(author, (lines.get(author) ?? 0) + count);
  }
  const people = [...lines].toSorted(compareCounts).map(([name]) => name);
  const index = new Map(people.map((name, at) => [name, at]));
  return {
    total: sizes.length,
    people,
    files: shown.map(({ path, lines: count }) => {
      const { busFactor = 0, owners: [main] = [] } = byPath.get(path) ?? {};
      const owner = main === undefined ? null : (index.get(main.author) ?? null);
      return { path, lines: count, bus_factor: busFactor, owner, owner_pct: main?.decayedPercent ?? 0 };
    }),
  };
}

/** Tags that a picker offers. */
const MOST_TAGS = 500;
/** Files that a search by name offers. */
const MOST_NAMED_FILES = 20;

/** A question of a page about the history of one repository, by id or name. */
export interface HistoryRequest {
  caller: Caller;
  signal: AbortSignal;
  repo: string;
}

/** Answers for pages about history beside `commit-tool`. */
export interface HistoryPages {
  /** The indexed commit, and the tags of the index, the newest commit first. */
  refs(request: HistoryRequest): Promise<{ branch: string; commit: string; tags: { name: string; date: string }[] }>;
  /** Files whose path holds all words of a text. */
  files(request: HistoryRequest, text: string): Promise<string[]>;
  /** The owners of a file as in REST. Throws `unknown_id` when there is no such file. */
  owners(request: HistoryRequest, path: string): Promise<Record<string, unknown>>;
  /** The main author of each file, with its lines. Reads the whole history: some 50 ms for 100,000 changes. */
  ownership(request: HistoryRequest): Promise<OwnershipMap>;
  /** The authors who wrote the lines of a file last. Throws `unknown_id` when there is no such file. */
  blame(request: HistoryRequest, path: string): Promise<FileBlame>;
}

export function historyPages(indexes: Indexes): HistoryPages {
  const facts = new FileFacts(indexes);
  const open = async ({ caller, signal, repo }: HistoryRequest) => {
    const repositories = await indexes.repositories(caller, repo);
    const [repository] = repositories;
    if (repository === undefined) throw new Error('a name matches one repository');
    return { repository, sources: new IndexSources(indexes, HISTORY_QUERIES, { caller, signal, repositories }) };
  };
  return {
    refs: async (request) => {
      const { repository, sources } = await open(request);
      const tags = await sources.ask(repository, ['historyTags', { limit: MOST_TAGS }]);
      return { ...describeRevision(repository), tags: tags.map(({ name, time }) => ({ name, date: isoOf(time) })) };
    },
    files: async (request, text) => {
      const { repository, sources } = await open(request);
      return sources.ask(repository, ['filesNamed', { text, limit: MOST_NAMED_FILES }]);
    },
    owners: async (request, path) => ownershipJson(await facts.ownership({ ...request, path })),
    ownership: async (request) => {
      const { repository, sources } = await open(request);
      const [owners, sizes] = await Promise.all([
        sources.ask(repository, ['fileOwners', { most: 1 }]),
        sources.with(CODE_QUERIES).ask(repository, ['fileLines', {}]),
      ]);
      return { commit: repository.provenance.commit, ...ownershipMap(sizes.files, owners), omitted: sizes.omitted };
    },
    blame: async (request, path) => {
      const { commit, ranges = null } = await facts.authorsOfLines({ ...request, path });
      const datedRanges = ranges?.map(({ start, end, sha, author, time }) => ({
        start,
        end,
        sha,
        author,
        date: isoOf(time),
      }));
      return { commit, ranges: datedRanges ?? null };
    },
  };
}

function describeRevision({ provenance }: IndexedRepository): { branch: string; commit: string } {
  return { branch: provenance.ref, commit: provenance.commit };
}

function isoOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
