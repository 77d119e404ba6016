import { Definition } from '../facts.ts';
import { type LanguageGroup, readLocal } from '../resolve/program.ts';
import type { BaseFile, BaseShard } from './base-shard.ts';
import type { Layout } from './layout.ts';
import type { LazyProgram } from './lazy-program.ts';
import { groupOf } from './parser-groups.ts';

/** Bits of a name: some symbol has it, and one that is no member. */
const MEMBER = 1;
const OTHER = 3;

interface Shards {
  base: BaseShard;
  layout: Layout;
}

/** As `namesOfSymbols`, from the rows of files that stay and the facts of those that changed. */
export function namesOfGroup({ base, layout }: Shards, lazy: LazyProgram, group: LanguageGroup): Uint8Array {
  const found = collect(base, group, ({ id }) => (layout.keptTo[id] ?? -1) >= 0);
  addChanged(found, { base, layout }, lazy, group);
  const { names } = lazy.program;
  const ids = [...found].map(([name, bits]) => [names.id(name), bits] as const);
  const bitsOf = new Uint8Array(names.size);
  for (const [id, bits] of ids) bitsOf[id] = bits;
  return bitsOf;
}

/** Names that symbols of a group have now and had not before, or the reverse: what only the name suggests is other. */
export function otherSymbolNames(group: LanguageGroup, { base, layout }: Shards, lazy: LazyProgram): string[] {
  const before = collect(base, group, () => true);
  const after = collect(base, group, ({ id }) => (layout.keptTo[id] ?? -1) >= 0);
  addChanged(after, { base, layout }, lazy, group);
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((name) => before.get(name) !== after.get(name));
}

/** Languages whose symbols a group of languages sees by name. */
function seenBy(group: LanguageGroup): ReadonlySet<LanguageGroup | undefined> {
  return new Set(group === 'java' || group === 'kotlin' ? ['java', 'kotlin'] : [group]);
}

function collect(base: BaseShard, group: LanguageGroup, isAsked: (file: BaseFile) => boolean): Map<string, number> {
  const seen = seenBy(group);
  const asked = base.files.map((file) => file.parser !== '' && seen.has(groupOf(file.parser)) && isAsked(file));
  const names = new Map<string, number>();
  const query = 'select s.file, n.text, s.member from symbol s join name n on n.id = s.name';
  for (const [file, name, member] of base.rows<[number, string, number]>(query))
    if (asked[file] === true) names.set(name, (names.get(name) ?? 0) | (member === 1 ? MEMBER : OTHER));
  return names;
}

function addChanged(names: Map<string, number>, { layout }: Shards, lazy: LazyProgram, group: LanguageGroup): void {
  const seen = seenBy(group);
  const { program, table } = lazy;
  for (const [file, { source }] of layout.files.entries()) {
    const unit = source !== undefined && seen.has(program.groups[file]) ? program.units[file] : undefined;
    if (unit === undefined) continue;
    for (let symbol = table.firstOf[file] ?? 0; symbol < (table.firstOf[file + 1] ?? 0); symbol += 1) {
      const local = (table.definitionOf[symbol] ?? 0) - unit.base;
      const name = program.names.text(unit.definitionNames[local] ?? 0);
      const isMember = readLocal(unit, local, Definition.owner) >= 0;
      names.set(name, (names.get(name) ?? 0) | (isMember ? MEMBER : OTHER));
    }
  }
}
