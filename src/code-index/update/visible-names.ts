import {
  Definition,
  DefinitionKind,
  Export,
  ExportHow,
  Facet,
  FacetColumn,
  type FileFacts,
  Narrowing,
  NodeOp,
  Scope,
} from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import { operandsOf } from '../../languages/facts/node-operands.ts';

/** What other files can see of a name in a file. */
export interface VisibleName {
  /** All of it: two texts are equal when resolution finds the same. */
  text: string;
  /** The names that it is made from. */
  mentions: ReadonlySet<string>;
}

/** What other files can see of a file. */
export interface VisibleNames {
  names: ReadonlyMap<string, VisibleName>;
  /** What holds for the whole file: where its names live, and the modules whose names it passes on. */
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
  const found = new Map<string, { texts: string[]; mentions: Set<string> }>();
  const add = (name: string, { text, mentions }: VisibleName): void => {
    const known = found.get(name) ?? { texts: [], mentions: new Set<string>() };
    found.set(name, known);
    known.texts.push(text);
    for (const one of mentions) known.mentions.add(one);
  };
  for (let local = 0; local < describer.count; local += 1) {
    if (!describer.isRoot(local)) continue;
    const name = describer.nameOf(local);
    const owner = describer.column(local, Definition.owner);
    add(owner >= 0 && UNNAMED.test(name) ? describer.nameOf(owner) : name, describer.definition(local));
  }
  const stars: string[] = [];
  for (let row = 0; row < facts.exports.length; row += Export.stride) {
    const seen = describer.export(row);
    if (facts.exports[row + Export.how] === ExportHow.star) stars.push(seen.text);
    else add(facts.strings[facts.exports[row + Export.name] ?? 0] ?? '', seen);
  }
  const names = new Map([...found].map(([name, { texts, mentions }]) => [name, { text: texts.join('\n'), mentions }]));
  return { names, whole: [facts.language, facts.packageName, ...stars].join('\n') };
}

/** Writes what single definitions and exports of a file are made from. */
class Describer {
  readonly count: number;
  readonly #facts: FileFacts;
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
    const { facets, narrowings } = facts;
    this.#facts = facts;
    this.count = facts.definitions.length / Definition.stride;
    for (let row = 0; row < facets.length; row += FacetColumn.stride)
      append(this.#facets, facets[row + FacetColumn.definition] ?? 0, row);
    for (let row = 0; row < narrowings.length; row += Narrowing.stride)
      append(this.#narrowings, `${narrowings[row + Narrowing.scope]} ${narrowings[row + Narrowing.name]}`, row);
    for (let local = 0; local < this.count; local += 1) {
      append(this.#scoped, `${this.column(local, Definition.scope)} ${this.column(local, Definition.name)}`, local);
      append(this.#inScope, this.column(local, Definition.scope), local);
      if (this.column(local, Definition.owner) >= 0) append(this.#members, this.column(local, Definition.owner), local);
    }
  }

  column(local: number, column: number): number {
    return this.#facts.definitions[local * Definition.stride + column] ?? 0;
  }

  nameOf(local: number): string {
    return this.#text(this.column(local, Definition.name));
  }

  /** Whether others may come to it by its name: it is at the top of the file, or a member of what is. */
  isRoot(local: number): boolean {
    if (this.column(local, Definition.name) === 0) return false;
    const kind = this.column(local, Definition.kind);
    if (kind === DefinitionKind.import)
      return this.column(local, Definition.scope) === 0 && languageOf(this.#facts.language).hidesImports !== true;
    if (kind >= DefinitionKind.parameter) return false;
    const owner = this.column(local, Definition.owner);
    return owner >= 0 ? this.isRoot(owner) : this.column(local, Definition.scope) === 0;
  }

  definition(local: number): VisibleName {
    return this.#described(() => this.#definition(local, true));
  }

  export(row: number): VisibleName {
    const { exports } = this.#facts;
    const [name, how, a, b] = [
      exports[row],
      exports[row + Export.how],
      exports[row + Export.a] ?? 0,
      exports[row + Export.b] ?? 0,
    ];
    return this.#described(() => {
      this.#parts.push('export', how ?? 0);
      this.#mention(name ?? 0);
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
    const known = this.#definitions.get(local);
    if (known !== undefined) return void this.#parts.push('again', known);
    this.#definitions.set(local, this.#definitions.size);
    const { kind, flags, name, scope, type, value, context, source, imported } = Definition;
    this.#parts.push('definition', this.column(local, kind), this.column(local, flags));
    this.#mention(this.column(local, name));
    this.#owners(local);
    if (!isWhole && this.isRoot(local)) return;
    this.#parts.push(this.column(local, scope) === 0 ? 'top' : '');
    for (const node of [type, value, context]) this.#node(this.column(local, node));
    this.#mention(this.column(local, source), this.column(local, imported));
    for (const row of this.#facets.get(local) ?? []) this.#facet(row);
    const inside = this.column(local, kind) === DefinitionKind.module ? this.column(local, Definition.bodyScope) : -1;
    if (inside >= 0) for (const one of this.#inScope.get(inside) ?? []) this.#definition(one, false);
    // What nobody comes to by itself is what its members are.
    if (!this.isRoot(local)) for (const member of this.#members.get(local) ?? []) this.#definition(member, true);
  }

  #facet(row: number): void {
    const { facets } = this.#facts;
    const [facet, node] = [facets[row + FacetColumn.facet] ?? 0, facets[row + FacetColumn.node] ?? 0];
    this.#parts.push('facet', facet);
    if (facet === Facet.typeParameter) this.#definition(node, false);
    else this.#node(node);
  }

  #owners(local: number): void {
    for (let owner = this.column(local, Definition.owner), step = 0; owner >= 0 && step < 30; step += 1) {
      this.#parts.push('in', this.nameOf(owner));
      owner = this.column(owner, Definition.owner);
    }
  }

  #node(node: number): void {
    const { nodes } = this.#facts;
    const known = this.#nodes.get(node);
    if (node === 0 || known !== undefined) return void this.#parts.push('node', known ?? '');
    this.#nodes.set(node, this.#nodes.size);
    const operation = nodes[node] ?? 0;
    this.#parts.push('op', operation);
    if (operation === NodeOp.Identifier) return this.#lookUp(nodes[node + 1] ?? 0, nodes[node + 2] ?? 0);
    let at = node + 1;
    let scope = -1;
    for (const operand of operandsOf(operation)) {
      const value = nodes[at++] ?? 0;
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
      const value = this.#facts.nodes[at + index] ?? 0;
      if (operand === 'N') this.#node(value);
      else if (index === 0 && scope >= 0) this.#lookUp(value, scope);
      else this.#mention(value);
    }
    return at + length;
  }

  /** All that a name may be bound to, seen from a scope, and what it is narrowed to there. */
  #lookUp(name: number, scope: number): void {
    this.#mention(name);
    for (let at = scope; at >= 0; at = this.#facts.scopes[at * Scope.stride + Scope.parent] ?? -1) {
      for (const local of this.#scoped.get(`${at} ${name}`) ?? []) this.#definition(local, false);
      for (const row of this.#narrowings.get(`${at} ${name}`) ?? [])
        this.#node(this.#facts.narrowings[row + Narrowing.node] ?? 0);
    }
  }

  /** What a scope lies in. */
  #around(scope: number): void {
    const { scopes } = this.#facts;
    for (let at = scope; at >= 0; at = scopes[at * Scope.stride + Scope.parent] ?? -1) {
      const local = scopes[at * Scope.stride + Scope.definition] ?? -1;
      this.#parts.push('around', scopes[at * Scope.stride + Scope.kind] ?? 0);
      if (local < 0) continue;
      this.#mention(this.column(local, Definition.name));
      this.#owners(local);
    }
  }

  #mention(...names: readonly number[]): void {
    for (const one of names) {
      const text = this.#text(one);
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
