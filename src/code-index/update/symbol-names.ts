import { intAt } from '../../languages/facts/table.ts';
import { groupOf, listVisibleGroups, type LanguageGroup } from '../../languages/languages.ts';
import type { BaseFile, BaseShard } from './base-shard.ts';
import type { Layout } from './layout.ts';
import type { LazyProgram } from './lazy-program.ts';

/** Bits of a name: some symbol has it, and one that is no member. */
const MEMBER = 1;
const OTHER = 3;

interface Shards {
  base: BaseShard;
  layout: Layout;
}

/** As `namesOfSymbols`, from the rows of files that stay and the facts of those that changed. */
export function namesOfGroup({ base, layout }: Shards, lazy: LazyProgram, group: LanguageGroup): Uint8Array {
  const groups = listVisibleGroups(group);
  const isVisible = base.files.map(
    ({ id, parser }) => isOfGroups(parser, groups) && (layout.unchangedTo[id] ?? -1) >= 0,
  );
  // Most symbols share their name with others: the bits are gathered by the number of the old name first.
  const byOldName = new Map<number, number>();
  for (const [file, name, member] of base.each<[number, number, number]>('select file, name, member from symbol'))
    if (isVisible[file] === true) byOldName.set(name, (byOldName.get(name) ?? 0) | (member === 1 ? MEMBER : OTHER));
  const { names } = lazy.program;
  const nameBits: [name: number, bits: number][] = [];
  for (const [name, text] of base.each<[number, string]>('select id, text from name')) {
    const bits = byOldName.get(name);
    if (bits !== undefined) nameBits.push([names.id(text), bits]);
  }
  for (const [text, bits] of namesOfChanged(layout, lazy, groups)) nameBits.push([names.id(text), bits]);
  const bitsOf = new Uint8Array(names.size);
  for (const [name, bits] of nameBits) bitsOf[name] = (bitsOf[name] ?? 0) | bits;
  return bitsOf;
}

/** Names that symbols of a group have now and had not before, or the reverse: what only the name suggests is other. */
export function otherSymbolNames(group: LanguageGroup, { base, layout }: Shards, lazy: LazyProgram): string[] {
  const groups = listVisibleGroups(group);
  const isVisible = base.files.map(({ parser }) => isOfGroups(parser, groups));
  const isUnchanged = (file: number): boolean => (layout.unchangedTo[file] ?? -1) >= 0;
  const after = namesOfChanged(layout, lazy, groups);
  const names = new Set(after.keys());
  const ofFile = `select distinct n.text from symbol s join name n on n.id = s.name where s.id >= ? and s.id < ?`;
  for (const { id, firstSymbol, symbols } of base.files) {
    if (isVisible[id] !== true || isUnchanged(id) || symbols === 0) continue;
    for (const [name] of base.rows<[string]>(ofFile, firstSymbol, firstSymbol + symbols)) names.add(name);
  }
  // The index of names does not tell capitals from small letters.
  const ofName = `select s.file, s.member from name n join symbol s on s.name = n.id
    where n.text = ?1 collate nocase and n.text = ?1`;
  return [...names].filter((name) => {
    let [before, now] = [0, after.get(name) ?? 0];
    for (const [file, member] of base.rows<[number, number]>(ofName, name)) {
      if (isVisible[file] !== true) continue;
      const bits = member === 1 ? MEMBER : OTHER;
      before |= bits;
      if (isUnchanged(file)) now |= bits;
    }
    return before !== now;
  });
}

function isOfGroups(parser: BaseFile['parser'], groups: ReadonlySet<LanguageGroup | undefined>): boolean {
  return parser !== '' && groups.has(groupOf(parser));
}

/** The names of the symbols of changed files, with their bits. */
function namesOfChanged(
  { files }: Layout,
  { program, table }: LazyProgram,
  groups: ReadonlySet<LanguageGroup | undefined>,
): Map<string, number> {
  const names = new Map<string, number>();
  for (const [file, { source }] of files.entries()) {
    const unit = source !== undefined && groups.has(program.groups[file]) ? program.units[file] : undefined;
    if (unit === undefined) continue;
    for (let symbol = table.firstOf[file] ?? 0; symbol < (table.firstOf[file + 1] ?? 0); symbol += 1) {
      const local = (table.definitionOf[symbol] ?? 0) - unit.base;
      const name = program.names.text(intAt(unit.definitionNames, local));
      const isMember = unit.facts.definitions.owner(local) >= 0;
      names.set(name, (names.get(name) ?? 0) | (isMember ? MEMBER : OTHER));
    }
  }
  return names;
}
