import { DefinitionKind, ExportHow, ReferenceHow } from '../../languages/facts/facts.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { moduleOf, type Program } from '../program/program.ts';
import type { Unit } from '../program/unit.ts';

/** The files that a file imports, ascending: of a package of many files, all of them. */
export function importedFiles({ program, on }: { program: Program; on: Evaluation }, unit: Unit): Int32Array {
  const { references, exports } = unit.facts;
  const sources = new Set<number>(unit.stars);
  const files = new Set<number>();
  for (let local = 0; local < unit.count; local += 1) {
    if (unit.facts.definitions.kind(local) !== DefinitionKind.import) continue;
    sources.add(unit.facts.definitions.source(local));
    // `from shop import cart` imports the file `shop/cart.py`.
    for (const entity of on.names.follow(unit.base + local))
      if (entity < 0 && moduleOf(entity) < program.files.length) files.add(moduleOf(entity));
  }
  for (let row = 0; row < references.count; row += 1) {
    const how = references.how(row);
    if (how === ReferenceHow.from || (how === ReferenceHow.module && !isOuterPart(unit, row)))
      sources.add(references.a(row));
  }
  for (let row = 0; row < exports.count; row += 1) if (exports.how(row) === ExportHow.from) sources.add(exports.a(row));
  for (const source of sources) {
    const module = on.names.module(unit, unit.facts.strings[source] ?? '');
    if (module < 0 || module === unit.file) continue;
    if (module < program.files.length) files.add(module);
    else for (const file of program.packages[module - program.files.length]?.files ?? []) files.add(file);
  }
  files.delete(unit.file);
  return Int32Array.from([...files].toSorted((a, b) => a - b));
}

/** True if a module only leads to the one named behind it: `shop` of `from shop.cart import add`, which imports `shop.cart`. */
function isOuterPart({ facts: { references, strings } }: Unit, row: number): boolean {
  const next = row + 1;
  if (next >= references.count || references.how(next) !== ReferenceHow.module) return false;
  const [outer = '', inner = ''] = [strings[references.a(row)], strings[references.a(next)]];
  const width = outer.length - outer.lastIndexOf('.');
  return inner.startsWith(`${outer}.`) && references.start(next) === references.start(row) + width;
}
