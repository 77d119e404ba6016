import { DefinitionKind, ExportHow, Facet, type FileFacts, NodeOp } from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import { intAt } from '../../languages/facts/table.ts';
import { operandsOf } from '../../languages/facts/node-operands.ts';

/** Description of what other files can see of a name in a file. */
interface VisibleName {
  /** All of it: two texts are equal when resolution finds the same. */
  text: string;
  /** The names that it is made from. */
  mentions: ReadonlySet<string>;
}

/** Description of what other files can see of a file. */
export interface VisibleNames {
  names: ReadonlyMap<string, VisibleName>;
  /** Description of the whole file: where its names live, and the modules whose names it passes on. */
  whole: string;
}

/** Members that are used without being named, as the class is: their change is one of the class. */
const UNNAMED = /^(constructor|__\w+__)$/;

/** Nodes that are what the class around them is. */
const ASKS_AROUND: ReadonlySet<number> = new Set<number>([NodeOp.This, NodeOp.Super, NodeOp.ThisType]);

/**
 * Describes the names of a file that other files can come to: what is declared at the top, members, and exports. Bodies
 * count as far as types are taken from them. What is not reached, positions among it, is left out.
 */
export function visibleNames(facts: FileFacts): VisibleNames {
  const describer = new Describer(facts);
  const byName = new Map<string, { texts: string[]; mentions: Set<string> }>();
  const add = (name: string, { text, mentions }: VisibleName): void => {
    const entry = byName.get(name) ?? { texts: [], mentions: new Set<string>() };
    byName.set(name, entry);
    entry.texts.push(text);
    for (const mention of mentions) entry.mentions.add(mention);
  };
  for (let local = 0; local < facts.definitions.count; local += 1) {
    if (!describer.isRoot(local)) continue;
    const name = describer.nameOf(local);
    const owner = facts.definitions.owner(local);
    add(owner >= 0 && UNNAMED.test(name) ? describer.nameOf(owner) : name, describer.definition(local));
  }
  const stars: string[] = [];
  for (let row = 0; row < facts.exports.count; row += 1) {
    const visibleName = describer.export(row);
    // What a macro declares may hand on the names of modules, as a star does.
    if (facts.exports.how(row) >= ExportHow.star) stars.push(visibleName.text);
    else add(facts.strings[facts.exports.name(row)] ?? '', visibleName);
  }
  const names = new Map([...byName].map(([name, { texts, mentions }]) => [name, { text: texts.join('\n'), mentions }]));
  return { names, whole: [facts.language, facts.packageName, ...stars].join('\n') };
}

/** Writes what single definitions and exports of a file are made from. */
class Describer {
  readonly #facts: FileFacts;
  readonly #rows: FileFacts['definitions'];
  readonly #facets = new Map<number, number[]>();
  readonly #scoped = new Map<string, number[]>();
  readonly #narrowings = new Map<string, number[]>();
  readonly #inScope = new Map<number, number[]>();
  readonly #members = new Map<number, number[]>();
  #parts: (string | number)[] = [];
  #mentions = new Set<string>();
  #definitions = new Map<number, number>();
  #nodes = new Map<number, number>();

  constructor(facts: FileFacts) {
    const { definitions, facets, narrowings } = facts;
    this.#facts = facts;
    this.#rows = definitions;
    for (let row = 0; row < facets.count; row += 1) append(this.#facets, facets.definition(row), row);
    for (let row = 0; row < narrowings.count; row += 1)
      append(this.#narrowings, `${narrowings.scope(row)} ${narrowings.name(row)}`, row);
    for (let local = 0; local < definitions.count; local += 1) {
      append(this.#scoped, `${definitions.scope(local)} ${definitions.name(local)}`, local);
      append(this.#inScope, definitions.scope(local), local);
      if (definitions.owner(local) >= 0) append(this.#members, definitions.owner(local), local);
    }
  }

  nameOf(local: number): string {
    return this.#text(this.#rows.name(local));
  }

  /** True if others may reach it by its name: it is at the top of the file, or a member of what is. */
  isRoot(local: number): boolean {
    if (this.#rows.name(local) === 0) return false;
    const kind = this.#rows.kind(local);
    if (kind === DefinitionKind.import)
      return this.#rows.scope(local) === 0 && languageOf(this.#facts.language).hidesImports !== true;
    if (kind >= DefinitionKind.parameter) return false;
    const owner = this.#rows.owner(local);
    return owner >= 0 ? this.isRoot(owner) : this.#rows.scope(local) === 0;
  }

  definition(local: number): VisibleName {
    return this.#described(() => this.#definition(local, true));
  }

  export(row: number): VisibleName {
    const { exports } = this.#facts;
    const [how, a, b] = [exports.how(row), exports.a(row), exports.b(row)];
    return this.#described(() => {
      this.#parts.push('export', how);
      this.#mention(exports.name(row));
      if (how === ExportHow.local) this.#definition(a, false);
      else if (how === ExportHow.named) this.#lookUp(b, a);
      else this.#mention(a, ...(how === ExportHow.from ? [b] : []));
      if (how === ExportHow.star) this.#around(b);
    });
  }

  #described(describe: () => void): VisibleName {
    this.#parts = [];
    this.#mentions = new Set();
    this.#definitions = new Map();
    this.#nodes = new Map();
    describe();
    return { text: this.#parts.join(' '), mentions: this.#mentions };
  }

  /** A definition by its name when others can come to it as well, else all that it is. */
  #definition(local: number, isWhole: boolean): void {
    if (local < 0) return void this.#parts.push('none');
    const earlier = this.#definitions.get(local);
    if (earlier !== undefined) return void this.#parts.push('again', earlier);
    this.#definitions.set(local, this.#definitions.size);
    const rows = this.#rows;
    this.#parts.push('definition', rows.kind(local), rows.flags(local));
    this.#mention(rows.name(local));
    this.#owners(local);
    if (!isWhole && this.isRoot(local)) return;
    this.#parts.push(rows.scope(local) === 0 ? 'top' : '');
    for (const node of [rows.type(local), rows.value(local), rows.context(local)]) this.#node(node);
    this.#mention(rows.source(local), rows.imported(local));
    for (const row of this.#facets.get(local) ?? []) this.#facet(row);
    const inside = rows.kind(local) === DefinitionKind.module ? this.#rows.bodyScope(local) : -1;
    if (inside >= 0) for (const definition of this.#inScope.get(inside) ?? []) this.#definition(definition, false);
    // What nobody comes to by itself is what its members are.
    if (!this.isRoot(local)) for (const member of this.#members.get(local) ?? []) this.#definition(member, true);
  }

  #facet(row: number): void {
    const { facets } = this.#facts;
    const [facet, node] = [facets.facet(row), facets.node(row)];
    this.#parts.push('facet', facet);
    if (facet === Facet.typeParameter) this.#definition(node, false);
    else this.#node(node);
  }

  #owners(local: number): void {
    for (let owner = this.#rows.owner(local), step = 0; owner >= 0 && step < 30; step += 1) {
      this.#parts.push('in', this.nameOf(owner));
      owner = this.#rows.owner(owner);
    }
  }

  #node(node: number): void {
    const { nodes } = this.#facts;
    const earlier = this.#nodes.get(node);
    if (node === 0 || earlier !== undefined) return void this.#parts.push('node', earlier ?? '');
    this.#nodes.set(node, this.#nodes.size);
    const operation = intAt(nodes, node);
    this.#parts.push('op', operation);
    if (operation === NodeOp.Identifier) return this.#lookUp(intAt(nodes, node + 1), intAt(nodes, node + 2));
    let at = node + 1;
    let scope = -1;
    for (const operand of operandsOf(operation)) {
      const value = intAt(nodes, at++);
      if (operand === 'n') this.#node(value);
      else if (operand === 's') this.#mention(value);
      else if (operand === 'd') this.#definition(value, false);
      else if (operand === '.') scope = value;
      else if (operand === '#') this.#parts.push(value);
      else at = this.#list(operand, at, { length: value, scope });
    }
    if (ASKS_AROUND.has(operation)) this.#around(scope);
  }

  /** The operands of a list; gives where the next operand is. The first name of a type is looked up. */
  #list(operand: string, at: number, { length, scope }: { length: number; scope: number }): number {
    this.#parts.push('list', length);
    for (let index = 0; index < length; index += 1) {
      const value = intAt(this.#facts.nodes, at + index);
      if (operand === 'N') this.#node(value);
      else if (index === 0 && scope >= 0) this.#lookUp(value, scope);
      else this.#mention(value);
    }
    return at + length;
  }

  /** All that a name may be bound to, seen from a scope, and what it is narrowed to there. */
  #lookUp(name: number, scope: number): void {
    this.#mention(name);
    for (let at = scope; at >= 0; at = this.#facts.scopes.parent(at)) {
      for (const local of this.#scoped.get(`${at} ${name}`) ?? []) this.#definition(local, false);
      for (const row of this.#narrowings.get(`${at} ${name}`) ?? []) this.#node(this.#facts.narrowings.node(row));
    }
  }

  /** Describes what is around a scope. */
  #around(scope: number): void {
    const { scopes } = this.#facts;
    for (let at = scope; at >= 0; at = scopes.parent(at)) {
      const local = scopes.definition(at);
      this.#parts.push('around', scopes.kind(at));
      if (local < 0) continue;
      this.#mention(this.#rows.name(local));
      this.#owners(local);
    }
  }

  #mention(...names: readonly number[]): void {
    for (const name of names) {
      const text = this.#text(name);
      this.#parts.push(JSON.stringify(text));
      if (text !== '') this.#mentions.add(text);
    }
  }

  #text(id: number): string {
    return this.#facts.strings[id] ?? '';
  }
}

function append<Key>(lists: Map<Key, number[]>, key: Key, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
