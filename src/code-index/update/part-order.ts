import { DefinitionKind, Facet, type FileFacts, NodeOp } from '../../languages/facts/facts.ts';
import { type LanguageGroup, languageOf } from '../../languages/languages.ts';
import { intAt } from '../../languages/facts/table.ts';
import { holdsMembers } from '../program/program.ts';
import type { BaseShard } from './base-shard.ts';
import type { Layout } from './layout.ts';
import type { LazyProgram } from './lazy-program.ts';

interface Parts {
  groups: readonly LanguageGroup[];
  base: BaseShard;
  layout: Layout;
  lazy: LazyProgram;
}

/** A type or name space that a file declares, in one of its parts. */
interface Part {
  name: string;
  full: string;
  size: number;
}

/**
 * Names of the types of a changed file whose parts have another order by size. The largest part of a type speaks for all
 * (`FullNames`), so a body may decide what names mean.
 */
export function namesInOtherOrder(before: FileFacts, after: FileFacts, parts: Parts): string[] {
  if (languageOf(after.language).declaresInParts !== true) return [];
  const [old, now] = [partsOf(before), partsOf(after)];
  const changed = now.filter(
    ({ full }) => sizesIn(now, full).join(' ') !== sizesIn(old, full).join(' ') && sizesIn(old, full).length > 0,
  );
  return changed.flatMap(({ name, full }) => {
    const others = otherParts(name, parts).flatMap((facts) => sizesIn(partsOf(facts, name), full));
    return orderOf([...others, ...sizesIn(old, full)]) === orderOf([...others, ...sizesIn(now, full)]) ? [] : [name];
  });
}

function sizesIn(list: readonly Part[], full: string): number[] {
  return list.flatMap((part) => (part.full === full ? [part.size] : []));
}

/** The facts of the files that stay and declare a name. */
function otherParts(name: string, { groups, base, layout, lazy }: Parts): FileFacts[] {
  const query = `select distinct s.file from name n join symbol s on s.name = n.id
    where n.text = ?1 collate nocase and n.text = ?1 order by s.file`;
  return base.rows<[number]>(query, name).flatMap(([file]) => {
    const to = layout.unchangedTo[file] ?? -1;
    const group = lazy.program.groups[to];
    return group !== undefined && groups.includes(group) ? (lazy.program.units[to]?.facts ?? []) : [];
  });
}

/** The types and name spaces of a file in parts, or those of one name. */
function partsOf(facts: FileFacts, name?: string): Part[] {
  const { definitions, strings, packageName } = facts;
  const outer = outerNames(facts);
  const parts: Part[] = [];
  for (let local = 0; local < definitions.count; local += 1) {
    const kind = definitions.kind(local);
    if (!holdsMembers(kind) && kind !== DefinitionKind.module) continue;
    const own = strings[definitions.name(local)] ?? '';
    if (own === '' || (name !== undefined && own !== name)) continue;
    const path = [own];
    for (let at = local; at >= 0 && path.length < 100; at = definitions.owner(at)) {
      path.unshift(...(outer.get(at) ?? []));
      const owner = definitions.owner(at);
      if (owner >= 0) path.unshift(strings[definitions.name(owner)] ?? '');
    }
    const full = [packageName, ...path].join('.');
    parts.push({ name: own, full, size: definitions.end(local) - definitions.start(local) });
  }
  return parts;
}

/** The names written before that of a declaration: `Admin` of `class Admin::Orders`. */
function outerNames({ facets, nodes, strings }: FileFacts): Map<number, string[]> {
  const outer = new Map<number, string[]>();
  for (let row = 0; row < facets.count; row += 1) {
    const node = facets.node(row);
    if (facets.facet(row) !== Facet.receiver || intAt(nodes, node) !== NodeOp.TypeName) continue;
    const count = intAt(nodes, node + 2);
    const names = Array.from({ length: count }, (_, index) => strings[intAt(nodes, node + 3 + index)] ?? '');
    outer.set(facets.definition(row), names);
  }
  return outer;
}

/** The order of sizes, the largest first. */
function orderOf(sizes: readonly number[]): string {
  return [...sizes.keys()].toSorted((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b).join(' ');
}
