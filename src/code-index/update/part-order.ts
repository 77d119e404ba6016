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

/** The facts of a changed file before and after. */
export interface ChangedFacts {
  before: FileFacts;
  after: FileFacts;
}

/**
 * Names of the types of changed files whose parts have another order by size. The largest part of a type speaks for all
 * (`FullNames`), so a body may decide what names mean.
 */
export function namesInOtherOrder(changes: readonly ChangedFacts[], parts: Parts): string[] {
  const inParts = changes.filter(({ after }) => languageOf(after.language).declaresInParts === true);
  const old = byFullName(inParts.flatMap(({ before }) => partsOf(before)));
  const now = byFullName(inParts.flatMap(({ after }) => partsOf(after)));
  return [...now].flatMap(([full, own]) => {
    const name = own[0]?.name ?? '';
    const [oldSizes, newSizes] = [sizesOf(old.get(full) ?? []), sizesOf(own)];
    if (oldSizes.length === 0 || oldSizes.join(' ') === newSizes.join(' ')) return [];
    const others = sizesOf(otherParts(name, parts).filter((part) => part.full === full));
    // Of two parts of one size that of the first file counts as larger, which sizes do not say.
    const isTied = others.some((size) => oldSizes.includes(size) || newSizes.includes(size));
    return !isTied && orderOf([...others, ...oldSizes]) === orderOf([...others, ...newSizes]) ? [] : [name];
  });
}

function byFullName(list: readonly Part[]): Map<string, Part[]> {
  return Map.groupBy(list, ({ full }) => full);
}

function sizesOf(list: readonly Part[]): number[] {
  return list.map(({ size }) => size);
}

/** The parts of this name in the files that stay. */
function otherParts(name: string, { groups, base, layout, lazy }: Parts): Part[] {
  const query = `select distinct s.file from name n join symbol s on s.name = n.id
    where n.text = ?1 collate nocase and n.text = ?1 order by s.file`;
  return base.rows<[number]>(query, name).flatMap(([file]) => {
    const to = layout.unchangedTo[file] ?? -1;
    const group = lazy.program.groups[to];
    const facts = group !== undefined && groups.includes(group) ? lazy.program.units[to]?.facts : undefined;
    return facts === undefined ? [] : partsOf(facts, name);
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
