import type { FactsCache } from '../extract/facts-cache.ts';
import type { FileFacts } from '../../languages/facts/facts.ts';
import { groupOf, type LanguageGroup } from '../../languages/languages.ts';
import { type FileLinks, resolveFiles } from '../resolve/resolve.ts';
import { type FileHead, headOf } from '../program/file-head.ts';
import { symbolRows } from '../program/symbol-rows.ts';
import type { SymbolInput } from '../format/shard-input.ts';
import { affectedFiles } from './affected-files.ts';
import { namesOfGroup } from './symbol-names.ts';
import { type BaseFile, type BaseShard, NotUpdatable } from './base-shard.ts';
import type { Layout } from './layout.ts';
import { carryExact, exactUses } from './carried-exact.ts';
import { lazyProgram } from './lazy-program.ts';

/** Parts that resolution works with. */
interface ResolutionParts {
  base: BaseShard;
  cache: FactsCache;
  layout: Layout;
  configs: ReadonlyMap<string, string>;
  signal: AbortSignal;
}

/** Results of the new resolution. Ids are those of the new shard. */
interface ResolvedAnew {
  files: ReadonlySet<number>;
  links: ReadonlyMap<number, FileLinks>;
  /** The symbols of one of these files. */
  symbols: (file: number, text: string) => SymbolInput[];
}

/** Resolves the files that changed, and those whose names may mean something else because of that. */
export async function resolveAnew(parts: ResolutionParts): Promise<ResolvedAnew> {
  const { base, cache, layout, configs, signal } = parts;
  const lazy = lazyProgram(
    layout.files.map(({ path, base: old, source }) => {
      if (old !== undefined) return restoreFile(cache, old);
      const { symbols, definitions, file } = source;
      const { facts, language } = file;
      if (facts === undefined) return { path, symbols, definitions, reason: file.reason };
      return { path, symbols, definitions, group: groupOf(language.parser), facts: () => facts };
    }),
  );
  const { program, table } = lazy;
  const files = affectedFiles(parts, lazy);
  for (const file of files)
    if (layout.files[file]?.base?.parsed === 'outline') throw new NotUpdatable('a file could not be resolved before');
  const symbolNames = (group: LanguageGroup): Uint8Array => namesOfGroup({ base, layout }, lazy, group);
  const scope = { program, table, configs, symbolNames };
  const exact = base.isExact ? exactUses(base, layout, files) : undefined;
  const { links, unresolved } = await resolveFiles(scope, files, {
    signal,
    ...(exact && { refine: (unit, uses) => carryExact(uses, exact.get(unit.file)) }),
  });
  if (unresolved.length > 0) throw new NotUpdatable('a file cannot be resolved');
  const supers = new Map([...links.values()].flatMap((link) => [...link.supers]));
  return { files, links, symbols: (file, text) => symbolRows(program, table, { file, text }, supers) };
}

function restoreFile(
  cache: FactsCache,
  { path, blob, parser, symbols, definitions, reason }: BaseFile,
): {
  path: string;
  reason?: string | null;
  symbols: number;
  definitions: number;
  group?: LanguageGroup | undefined;
  facts?: () => FileFacts;
  head?: () => FileHead;
} {
  if (parser === '') return { path, symbols, definitions, reason };
  const facts = (): FileFacts => {
    const cached = cache.read(blob, parser);
    if (cached === undefined || !('facts' in cached)) throw new NotUpdatable(`the facts of ${path} are forgotten`);
    return cached.facts;
  };
  return {
    path,
    symbols,
    definitions,
    group: groupOf(parser),
    facts,
    head: () => cache.head(blob, parser) ?? headOf(facts()),
  };
}
