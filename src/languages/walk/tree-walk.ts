import { FactsBuilder } from '../facts/facts-builder.ts';
import { type Language, ReferenceHow, UseFlag } from '../facts/facts.ts';
import { type SyntaxTree, textOf, type Words } from './tree.ts';

/** Extracts from one node in a scope. Gives the expression node (or type node) that stands for it, 0 for none. */
export type Handler<W> = (walk: W, node: number, scope: number) => number;

/** State of a walker through one file. `W` is the walk of the language, so that handlers see its own state. */
export interface Walk<W> {
  tree: SyntaxTree;
  facts: FactsBuilder;
  /** Handlers of statements and expressions, by kind of node. */
  visits: readonly Handler<W>[];
  /** Handlers of nodes in the position of types, by kind of node. */
  types: readonly Handler<W>[];
  /** Functions to measure: pairs of node and definition. */
  functions: number[];
  /** Ends that the documentation of a definition would have: pairs of definition and offset. */
  documented: number[];
}

/** A walk without anything of its own. */
export function newWalk<W>(
  language: Language,
  tree: SyntaxTree,
  handlers: { visits: readonly Handler<W>[]; types: readonly Handler<W>[] },
): Walk<W> {
  const facts = new FactsBuilder(language, tree.text);
  facts.errors = tree.errors;
  facts.broken = tree.broken;
  facts.cuts = tree.cuts ?? [];
  facts.parsed = tree.parsed;
  return { tree, facts, ...handlers, functions: [], documented: [] };
}

/** An array of handlers by kind of node; kinds without one of their own get `otherwise`. */
export function handlerTable<W, Name extends string>(
  kinds: Readonly<Record<Name, number>>,
  otherwise: Handler<W>,
  handlers: Readonly<Partial<Record<Name, Handler<W>>>>,
): readonly Handler<W>[] {
  const table: Handler<W>[] = Array.from({ length: Object.keys(kinds).length + 1 }, () => otherwise);
  for (const name in handlers) {
    const handler = handlers[name];
    if (handler !== undefined) table[kinds[name]] = handler;
  }
  return table;
}

/** One handler for several node types, the words of a line. */
export function sameFor<const Line extends string, H>(line: Line, handler: H): Record<Words<Line>, H> {
  // fromEntries widens the keys: they are exactly the words.
  return Object.fromEntries(line.split(' ').map((name) => [name, handler])) as Record<Words<Line>, H>;
}

/** Extracts from a statement or expression. Node 0 gives 0. */
export function visit<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  if (node === 0) return 0;
  return walk.visits[walk.tree.kind[node] ?? 0]?.(walk, node, scope) ?? 0;
}

/** Extracts from a type. Node 0 gives 0. */
export function typeOf<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  if (node === 0) return 0;
  return walk.types[walk.tree.kind[node] ?? 0]?.(walk, node, scope) ?? 0;
}

/** Extracts from all children, and stands for nothing: the handler of kinds that have no other. */
export function visitChildren<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  for (let child = walk.tree.first[node] ?? 0; child !== 0; child = walk.tree.next[child] ?? 0)
    visit(walk, child, scope);
  return 0;
}

/** Extracts from all children in the place of types, and stands for nothing. */
export function typeChildren<W extends Walk<W>>(walk: W, node: number, scope: number): number {
  for (let child = walk.tree.first[node] ?? 0; child !== 0; child = walk.tree.next[child] ?? 0)
    typeOf(walk, child, scope);
  return 0;
}

/** Extracts from nothing. */
export function skip(): number {
  return 0;
}

/** The string id of a node's text. */
export function nameOf(walk: { tree: SyntaxTree; facts: FactsBuilder }, node: number): number {
  return walk.facts.string(textOf(walk.tree, node));
}

export const READ = UseFlag.value | UseFlag.read;
export const WRITE = UseFlag.value | UseFlag.write;
export const CALL = UseFlag.value | UseFlag.call;
export const TYPE = UseFlag.type | UseFlag.typeUse;
export const IMPORT = UseFlag.value | UseFlag.type | UseFlag.import;

type Writer = Pick<Walk<never>, 'tree' | 'facts'>;

/** Notes a name that is looked up from a scope. `flags` are a space and one use. */
export function refer(walk: Writer, node: number, scope: number, flags: number): void {
  walk.facts.references.add(nameOf(walk, node), walk.tree.start[node] ?? 0, scope, flags, ReferenceHow.scoped, 0, 0);
}

/** Notes a name that stands for a known definition. */
export function referBound(walk: Writer, node: number, definition: number, flags: number): void {
  walk.facts.references.add(
    nameOf(walk, node),
    walk.tree.start[node] ?? 0,
    -1,
    flags,
    ReferenceHow.bound,
    definition,
    0,
  );
}

/** Notes a name that is a name of a module, or a module itself when `name` is absent. */
export function referModule(walk: Writer, node: number, flags: number, from: { module: string; name?: string }): void {
  const how = from.name === undefined ? ReferenceHow.module : ReferenceHow.from;
  const [module, name] = [walk.facts.string(from.module), walk.facts.string(from.name ?? '')];
  walk.facts.references.add(nameOf(walk, node), walk.tree.start[node] ?? 0, -1, flags, how, module, name);
}

/** Notes an access to a member. */
export function accessMember(
  walk: Writer,
  node: number,
  access: { receiver: number; scope: number; flags: number },
): void {
  walk.facts.members.add(nameOf(walk, node), walk.tree.start[node] ?? 0, access.receiver, access.flags, access.scope);
}
