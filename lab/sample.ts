import { CODE_FORMAT } from '../src/code-index/format/shard-schema.ts';
import { openShard } from '../src/indexes/shards/shards.ts';

/** Arguments of `code-tool`. */
export type Call = Record<string, unknown> & { action: string };

/** The same numbers on every run: 0 to 1, by a linear congruence. */
export function sequence(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

/** Made-up words of two to four syllables. */
export function makeWords(next: () => number, count: number): string[] {
  const letter = (of: string): string => of[Math.floor(next() * of.length)] ?? 'a';
  const syllable = (): string => letter('bdfgklmnprstvz') + letter('aeiou');
  return Array.from(
    { length: count },
    () => Array.from({ length: 2 + Math.floor(next() * 3) }, syllable).join('') + letter('klmnrst'),
  );
}

/**
 * Calls of each action about names, files and words of a shard: the same for the same shard. Every fifth symbol is one of
 * the hundred most used, because those are requested more, and cost most.
 */
export function sampleCalls(shardFile: string, count: number): Record<string, Call[]> {
  const db = openShard(shardFile, CODE_FORMAT);
  const rows = (query: string): Record<string, unknown>[] => db.prepare(query).all();
  const texts = (query: string): string[] => rows(query).map((row) => String(row['text']));
  // A symbol as an agent names it once it has seen it: no other is meant.
  const symbols = (clauses: string): Omit<Call, 'action'>[] =>
    rows(`select s.qualified as query, f.path from symbol s join file f on f.id = s.file ${clauses}`);
  const names = texts('select text from name where length(text) > 2 order by id');
  const all = symbols('order by s.id');
  const used = symbols('join usage u on u.symbol = s.id order by u.refs desc, s.id limit 100');
  const paths = texts('select path as text from file where symbols > 0 order by id');
  const docs = texts("select doc as text from symbol where length(doc) > 30 and doc not like '%@%' order by id");
  db.close();
  const folders = [...new Set(paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))))];
  const next = sequence(7);
  const pick = <T>(list: readonly T[], otherwise: T): T => list[Math.floor(next() * list.length)] ?? otherwise;
  const symbol = (): Omit<Call, 'action'> => pick(next() < 0.2 ? used : all, { query: 'main' });
  const name = (): string => pick(names, 'main');
  const words = (): string => pick(docs, 'read a file').split(' ').slice(0, 8).join(' ');
  const calls = (make: () => Call): Call[] => Array.from({ length: count }, make);
  return {
    usages: calls(() => ({ action: 'usages', ...symbol() })),
    definition: calls(() => ({ action: 'definition', ...symbol() })),
    search_symbols: calls(() => ({ action: 'search_symbols', query: name().slice(0, 3 + Math.floor(next() * 6)) })),
    outline: calls(() => ({ action: 'outline', path: pick(paths, '') })),
    grep: calls(() => ({ action: 'grep', query: `${name()}\\b` })),
    semantic_search: calls(() => ({ action: 'semantic_search', query: words() })),
    ...relationCalls(calls, symbol, () => pick(paths, '')),
    ...wholeCalls(calls, () => pick(folders, '')),
  };
}

/** Calls for what a symbol, and once in five calls a file, depends on and what depends on it. */
function relationCalls(
  calls: (make: () => Call) => Call[],
  symbol: () => Omit<Call, 'action'>,
  path: () => string,
): Record<string, Call[]> {
  let count = 0;
  const about = (): Omit<Call, 'action'> => ((count += 1) % 5 === 0 ? { path: path() } : symbol());
  return {
    dependencies: calls(() => ({ action: 'dependencies', direction: 'both', depth: 1 + (count % 3), ...about() })),
    impact: calls(() => ({ action: 'impact', depth: 1 + (count % 3), ...about() })),
  };
}

/** Calls about a folder, and once in ten calls about everything. */
function wholeCalls(calls: (make: () => Call) => Call[], folder: () => string): Record<string, Call[]> {
  let count = 0;
  const about = (): Omit<Call, 'action'> => {
    const path = folder();
    return (count += 1) % 10 === 0 || path === '' ? {} : { path };
  };
  const actions = ['comments', 'dead_code', 'smells'];
  return Object.fromEntries(actions.map((action) => [action, calls(() => ({ action, ...about() }))]));
}
