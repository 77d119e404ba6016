import type { FileFacts } from '../languages/facts/facts.ts';
import { languageOfText } from '../languages/languages.ts';
import { Extractors } from '../languages/extract/extract.ts';
import { USE_CODES } from '../code-index/format/shard-input.ts';
import { type Resolution, resolveProgram } from '../code-index/resolve/resolve.ts';

/** A small program resolved, in words that tests can read. Symbols are `path#qualified`, of overloads with their parameters, places `path:line:column`. */
export interface ResolvedSources {
  resolution: Resolution;
  symbols: string[];
  /** `place use` of each use of a symbol, in order of file and position. */
  usesOf: (symbol: string) => string[];
  /** `place name` of what only a name suggests. */
  names: string[];
  families: string[][];
  /** Paths that a file imports. */
  importsOf: (path: string) => string[];
}

/** Resolves sources given by path; files that no extractor reads are configuration. */
export async function resolveSources(sources: Readonly<Record<string, string>>): Promise<ResolvedSources> {
  const paths = Object.keys(sources).toSorted();
  const extractors = new Extractors();
  const files: { path: string; facts?: FileFacts }[] = [];
  for (const path of paths) {
    const text = sources[path] ?? '';
    const parser = languageOfText(path, text).parser;
    const facts = parser === undefined ? undefined : await extractors.extract(parser, text);
    files.push(facts === undefined ? { path } : { path, facts });
  }
  const resolution = await resolveProgram({ files, configs: new Map(Object.entries(sources)) });
  const symbols = paths.flatMap((path, file) =>
    resolution
      .symbols(file, sources[path] ?? '')
      .map(({ qualified, parameters = '' }) => `${path}#${qualified}${parameters}`),
  );
  const uses = new Map<string, string[]>();
  const names: string[] = [];
  paths.forEach((path, file) => {
    const links = resolution.uses[file];
    if (links === undefined) return;
    const { occurrences, nameOnly } = links;
    const rows = Array.from(occurrences.line, (line, row) => ({
      line,
      column: occurrences.column[row] ?? 0,
      use: USE_CODES[occurrences.use[row] ?? 0] ?? 'read',
      target: symbols[occurrences.target[row] ?? 0] ?? '',
    })).toSorted((a, b) => a.line - b.line || a.column - b.column);
    for (const { line, column, use, target } of rows) {
      const list = uses.get(target) ?? [];
      list.push(`${path}:${line}:${column} ${use}`);
      uses.set(target, list);
    }
    nameOnly.name.forEach((name, row) => names.push(`${path}:${nameOnly.line[row]}:${nameOnly.column[row]} ${name}`));
  });
  return {
    resolution,
    symbols,
    usesOf: (symbol) => {
      if (!symbols.includes(symbol)) throw new Error(`no symbol ${symbol}; there are ${symbols.join(', ')}`);
      return [...new Set(uses.get(symbol))];
    },
    names,
    families: resolution.families.map((family) => family.map((symbol) => symbols[symbol] ?? '')),
    importsOf: (path) => Array.from(resolution.uses[paths.indexOf(path)]?.imports ?? [], (file) => paths[file] ?? ''),
  };
}
