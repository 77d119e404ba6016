import {
  DefinitionFlag,
  DefinitionKind,
  ExportHow,
  Facet,
  type FileFacts,
  NodeOp,
  ScopeKind,
} from '../../languages/facts/facts.ts';
import { languageOf } from '../../languages/languages.ts';
import { intAt } from '../../languages/facts/table.ts';
import { operandsOf } from '../../languages/facts/node-operands.ts';
import { wordsOf } from '../../text/words.ts';

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
  /** Language and package: where its names are. */
  space: string;
  /** Description of what may concern any file: modules whose names it passes on, macros, extensions of any type; '' for none. */
  handedOn: string;
  /** Modules of which all names are visible in the file alone. */
  stars: readonly string[];
}

/** Names that no file needs to write: what makes or iterates a value. A change of such a member is one of its class. */
const UNWRITTEN_MEMBER = /^(constructor|next|__\w+__)$/;

/** Nodes that are what the class around them is. */
const ASKS_AROUND: ReadonlySet<number> = new Set<number>([NodeOp.This, NodeOp.Super, NodeOp.ThisType]);

/**
 * Describes the names of a file that other files can come to: what is declared at the top, members, and exports. Bodies
 * count as far as types are taken from them. What is not reached, positions among it, is left out.
 */
export function visibleNames(facts: FileFacts): VisibleNames {
  const describer = new Describer(facts);
  const byName = new Map<string, { texts: string[]; mentions: Set<string> }>();
  const handedOn: string[] = [];
  const stars: string[] = [];
  const add = (name: string, { text, mentions }: VisibleName): void => {
    const entry = byName.get(name) ?? { texts: [], mentions: new Set<string>() };
    byName.set(name, entry);
    entry.texts.push(text);
    for (const mention of mentions) entry.mentions.add(mention);
  };
  for (let local = 0; local < facts.definitions.count; local += 1) {
    if (!describer.isRoot(local)) continue;
    const visibleName = describer.definition(local);
    const keys = describer.keysOf(local);
    if (keys === undefined) handedOn.push(visibleName.text);
    for (const key of new Set(keys)) add(key, visibleName);
  }
  const { seesStarsAlone = false } = languageOf(facts.language);
  for (let row = 0; row < facts.exports.count; row += 1) {
    const name = facts.strings[facts.exports.name(row)] ?? '';
    const how = facts.exports.how(row);
    if (how < ExportHow.star) add(name, describer.export(row));
    // What a macro declares may hand on the names of modules, as a star does.
    else if (seesStarsAlone && name === '') stars.push(facts.strings[facts.exports.a(row)] ?? '');
    else handedOn.push(describer.export(row).text);
  }
  const names = new Map([...byName].map(([name, { texts, mentions }]) => [name, { text: texts.join('\n'), mentions }]));
  const space = `${facts.language} ${facts.packageName}`;
  return { names, space, handedOn: handedOn.join('\n'), stars };
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

  /** True if others may reach it: it is at the top of the file or of a module in it, a member of what is, or an extension. */
  isRoot(local: number): boolean {
    const kind = this.#rows.kind(local);
    const scope = this.#rows.scope(local);
    if (kind === DefinitionKind.import)
      return (
        scope >= 0 &&
        this.#facts.scopes.kind(scope) === ScopeKind.module &&
        languageOf(this.#facts.language).hidesImports !== true
      );
    const isExtension = this.#receiverOf(local) !== undefined;
    if (kind === DefinitionKind.container) return isExtension;
    if (this.#rows.name(local) === 0 || kind >= DefinitionKind.parameter) return false;
    const owner = this.#rows.owner(local);
    if (owner >= 0) return this.isRoot(owner);
    return scope === 0 || isExtension || (this.#rows.flags(local) & DefinitionFlag.topLevel) !== 0;
  }

  /** The names by which others come to it; undefined when they may need none. */
  keysOf(local: number): readonly string[] | undefined {
    const rows = this.#rows;
    const [name, owner, kind] = [this.nameOf(local), rows.owner(local), rows.kind(local)];
    const { calledMethod, unwrittenTypes = [] } = languageOf(this.#facts.language);
    if (owner < 0 && unwrittenTypes.includes(name)) return undefined;
    const isUnwritten =
      kind === DefinitionKind.container ||
      (rows.flags(local) & DefinitionFlag.constructor) !== 0 ||
      name === calledMethod ||
      UNWRITTEN_MEMBER.test(name);
    // A module that is a file is named so from inside of it.
    if (kind === DefinitionKind.module && rows.bodyScope(local) < 0) return [name, 'super'];
    if (!isUnwritten) return [name];
    const type = owner >= 0 ? this.keysOf(owner) : this.#extendedType(local);
    return type && [...type, ...(name === '' ? [] : [name])];
  }

  /** The name of the one type that an extension extends; undefined for any other. */
  #extendedType(local: number): readonly string[] | undefined {
    const receiver = this.#receiverOf(local);
    if (receiver === undefined) return [];
    const { nodes, scopes } = this.#facts;
    if (intAt(nodes, receiver) !== NodeOp.TypeName) return undefined;
    const [scope, length] = [intAt(nodes, receiver + 1), intAt(nodes, receiver + 2)];
    const name = intAt(nodes, receiver + 2 + length);
    for (let at = scope; at >= 0; at = scopes.parent(at))
      for (const named of this.#scoped.get(`${at} ${name}`) ?? [])
        if (this.#rows.kind(named) === DefinitionKind.type_parameter) return undefined;
    return [this.#text(name)];
  }

  #receiverOf(local: number): number | undefined {
    const row = this.#facets.get(local)?.find((each) => this.#facts.facets.facet(each) === Facet.receiver);
    return row === undefined ? undefined : this.#facts.facets.node(row);
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
    this.#parts.push(rows.scope(local) === 0 ? 'top' : this.#modulesAround(rows.scope(local)));
    for (const node of [rows.type(local), rows.value(local), rows.context(local)]) this.#node(node);
    this.#mention(rows.source(local), rows.imported(local));
    for (const row of this.#facets.get(local) ?? []) this.#facet(row);
    const inside = rows.kind(local) === DefinitionKind.module ? this.#rows.bodyScope(local) : -1;
    const others = inside >= 0 ? (this.#inScope.get(inside) ?? []).filter((each) => !this.isRoot(each)) : [];
    for (const definition of others) this.#definition(definition, false);
    // What nobody comes to by itself is what its members are.
    if (!this.isRoot(local)) for (const member of this.#members.get(local) ?? []) this.#definition(member, true);
  }

  /** The names of the modules in the file that a scope is in. */
  #modulesAround(scope: number): string {
    const { scopes } = this.#facts;
    let names = '';
    for (let at = scope; at > 0; at = scopes.parent(at)) {
      const local = scopes.definition(at);
      if (local >= 0 && this.#rows.kind(local) === DefinitionKind.module) names += `${this.nameOf(local)}/`;
    }
    return names;
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
      if (text === '') continue;
      this.#mentions.add(text);
      // A path or a full name leads to each of its parts.
      for (const part of /\W/.test(text) ? wordsOf(text, 'name') : []) this.#mentions.add(part);
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
