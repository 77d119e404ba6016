import { folderOf } from '../../kernel/paths.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { namesOfLanguages } from '../../languages/languages.ts';
import type { SymbolKind } from '../../code-index/format/rows.ts';
import { unpackIds } from '../../code-index/format/store-codec.ts';

/**
 * Types that a method takes and gives, without names of parameters and packages: `(p []byte) (n int, err error)` and `([]byte)
 * (int, error)` are both `([]byte)(int,error)`. Undefined when it cannot be read.
 */
export function typesOfSignature(signature: string, name: string): string | undefined {
  // A receiver stands in brackets before the name.
  const at = new RegExp(String.raw`(?:^|[\s)])${name}\s*\(`).exec(signature);
  if (at === null) return undefined;
  const open = at.index + at[0].length - 1;
  const close = findClosing(signature, open);
  if (close === -1) return undefined;
  const given = signature.slice(close + 1).trim();
  const isList = given.startsWith('(') && findClosing(given, 0) === given.length - 1;
  const results = isList ? typesOfList(given.slice(1, -1)) : given === '' ? [] : [withoutPackage(given)];
  return `(${typesOfList(signature.slice(open + 1, close)).join(',')})(${results.join(',')})`;
}

/** The types of a list of parameters. When one has a name, all have; several names may share the type behind the last. */
function typesOfList(list: string): string[] {
  const parts = splitList(list);
  const named = parts.map((part) => /^(\w+)\s+(?!\s*[.[(]*$)(.+)$/s.exec(part));
  const isNamed = named.some((match) => match !== null && !/^(?:chan|func|map|struct|interface)$/.test(match[1] ?? ''));
  if (!isNamed) return parts.map(withoutPackage);
  const types: string[] = [];
  let shared = '';
  for (const match of named.toReversed()) {
    if (match !== null) shared = withoutPackage(match[2] ?? '');
    types.unshift(shared);
  }
  return types;
}

/** The parts of a list at its commas outside of brackets, trimmed; an empty last one left out. */
function splitList(list: string): string[] {
  const parts: string[] = [];
  let [depth, start] = [0, 0];
  for (let at = 0; at < list.length; at += 1) {
    const character = list[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === ',' && depth === 0) {
      parts.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, list.slice(start).trim()].filter((part) => part !== '');
}

function findClosing(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    else if (text[at] === ')' && --depth === 0) return at;
  }
  return -1;
}

/** A package writes its own types without its name. `any` is another name of the empty interface. */
function withoutPackage(type: string): string {
  return type
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\binterface\s*\{\s*\}/g, 'any')
    .replaceAll(/\b\w+\.(?=\w)/g, '')
    .trim();
}

const STRUCTURAL = JSON.stringify([...namesOfLanguages(({ isStructural }) => isStructural === true)]);

/** Signatures are kept up to this length: two that are cut may differ behind it. */
const SIGNATURE_LIMIT = 200;

/** A method as it counts for implementing: what it takes and gives; undefined when that is not known whole. */
interface Method {
  symbol: number;
  types: string | undefined;
}

interface NamedType {
  id: number;
  folder: string;
  isInterface: boolean;
  isGeneric: boolean;
  /** By name. */
  own: Map<string, Method>;
  embedded: number[];
}

/** A type that has all methods of an interface. */
interface Satisfying {
  type: number;
  /** The method of the type for each method of the interface. */
  methods: Map<number, number>;
  /** `name` when only names could be compared. */
  grade: 'resolved' | 'name';
}

/** The method sets of all types of a shard, with those that embedded types lend. */
class MethodSets {
  readonly #types: ReadonlyMap<number, NamedType>;
  readonly #sets = new Map<number, ReadonlyMap<string, Method>>();

  constructor(types: ReadonlyMap<number, NamedType>) {
    this.#types = types;
  }

  /** The types that implement an interface, by id; none of what is no interface or asks for no method. */
  satisfying(symbol: number): Satisfying[] {
    const required = this.#types.get(symbol);
    if (required?.isInterface !== true) return [];
    return [...this.#types.values()].flatMap((type) => this.#match(required, type) ?? []);
  }

  /** The interfaces that a type implements, by id. */
  satisfied(symbol: number): number[] {
    const type = this.#types.get(symbol);
    if (type === undefined) return [];
    return [...this.#types.values()]
      .filter((other) => other.isInterface && this.#match(other, type) !== undefined)
      .map(({ id }) => id);
  }

  /** All interfaces of the language, by id. */
  get interfaces(): number[] {
    return [...this.#types.values()].flatMap(({ id, isInterface }) => (isInterface ? [id] : []));
  }

  #match(required: NamedType, given: NamedType): Satisfying | undefined {
    if (required.id === given.id) return undefined;
    const [requiredMethods, has] = [this.#setOf(required.id), this.#setOf(given.id)];
    if (requiredMethods.size === 0 || requiredMethods.size > has.size) return undefined;
    const methods = new Map<number, number>();
    let grade: Satisfying['grade'] = 'resolved';
    for (const [name, { symbol, types }] of requiredMethods) {
      const method = has.get(name);
      if (method === undefined || (isPrivate(name) && required.folder !== given.folder)) return undefined;
      if (required.isGeneric || types === undefined || method.types === undefined) grade = 'name';
      else if (types !== method.types) return undefined;
      methods.set(symbol, method.symbol);
    }
    return { type: given.id, methods, grade };
  }

  #setOf(id: number, around: readonly number[] = []): ReadonlyMap<string, Method> {
    const cached = this.#sets.get(id);
    if (cached !== undefined) return cached;
    const type = this.#types.get(id);
    if (type === undefined || around.includes(id)) return new Map();
    const lent = type.embedded.flatMap((inner) => [...this.#setOf(inner, [...around, id])]);
    const set = new Map([...lent, ...type.own]);
    if (around.length === 0) this.#sets.set(id, set);
    return set;
  }
}

/** The method sets of a shard; reads all symbols of the language once. */
export function methodSets(db: ShardDatabase): MethodSets {
  return db.derived('method_sets', () => new MethodSets(namedTypes(db)));
}

interface Declared {
  id: number;
  path: string;
  kind: SymbolKind;
  name: string;
  qualified: string;
  parent: number | null;
  signature: string;
  extends: Uint8Array | null;
}

function namedTypes(db: ShardDatabase): Map<number, NamedType> {
  const types = new Map<number, NamedType>();
  const byName = new Map<string, NamedType>();
  for (const { id, path, kind, name, qualified, signature, extends: embedded } of declared(db, TYPES)) {
    if (qualified !== name) continue;
    const type = {
      id,
      folder: folderOf(path),
      isInterface: kind === 'interface',
      isGeneric: signature.includes('['),
      own: new Map<string, Method>(),
      embedded: unpackIds(embedded),
    };
    types.set(id, type);
    byName.set(`${type.folder} ${name}`, type);
  }
  for (const { id, path, name, qualified, parent, signature } of declared(db, METHODS)) {
    // A method stands beside its type, in any file of the package.
    const of = types.get(parent ?? -1) ?? byName.get(`${folderOf(path)} ${qualified.split('/')[0] ?? ''}`);
    const whole = signature.length >= SIGNATURE_LIMIT ? undefined : typesOfSignature(signature, name);
    of?.own.set(name, { symbol: id, types: whole });
  }
  return types;
}

const TYPES = JSON.stringify(['interface', 'struct', 'type']);
const METHODS = JSON.stringify(['method']);

/** Symbols of some kinds, one by one: there are many, and little of each is needed. */
function declared(db: ShardDatabase, kinds: string): Iterable<Declared> {
  return db
    .prepare(
      `select s.id, f.path, s.kind, n.text as name, s.qualified, s.parent, s.signature, e.extends
         from symbol s join file f on f.id = s.file join name n on n.id = s.name left join edge e on e.symbol = s.id
        where f.language in (select value from json_each(?)) and s.kind in (select value from json_each(?)) order by s.id`,
    )
    .iterate(STRUCTURAL, kinds) as unknown as Iterable<Declared>;
}

/** True if the symbols of some files, the same in two shards, have the same signatures, where sets of methods depend on them. */
export function haveSameSignatures(
  { before, after }: { before: ShardDatabase; after: ShardDatabase },
  files: readonly number[],
): boolean {
  const signatures = (db: ShardDatabase): string =>
    JSON.stringify(
      db
        .prepare(
          `select s.signature from json_each(?) j join file f on f.id = j.value
             join symbol s on s.id >= f.first_symbol and s.id < f.first_symbol + f.symbols
            where f.language in (select value from json_each(?)) order by s.id`,
        )
        .all(JSON.stringify(files), STRUCTURAL),
    );
  return signatures(before) === signatures(after);
}

function isPrivate(name: string): boolean {
  return /^[^\p{Lu}]/u.test(name);
}
