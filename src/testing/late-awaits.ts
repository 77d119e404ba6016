import { type Node, parseSync } from 'oxc-parser';

/** Functions of `Promise` that give a handler to each promise of their list. */
const COMBINES = new Set(['all', 'allSettled', 'race', 'any']);
const HELPER = 'awaitLater';

interface Declared {
  name: string;
  init: Node;
  end: number;
}

/** Statements of one function, without the functions in it. */
interface Body {
  declared: Declared[];
  awaits: { argument: Node | undefined; start: number; end: number }[];
  /** Promises that are given a handler where they stand, by name. */
  handled: { name: string; at: number }[];
  /** Values that are added to a list or a set, by its name. */
  added: { to: string; what: Node | undefined }[];
  inner: Node[];
}

/**
 * Places where a promise begins in one line and is awaited in a later one, after another await: when that one is left with an
 * error, the first has no handler. `line name` each. Promises are recognised by being awaited.
 */
export function lateAwaits(path: string, text: string): string[] {
  if (!text.includes('await')) return [];
  const places: number[] = [];
  const names = new Map<number, string>();
  const visit = (root: Node): void => {
    const body = readBody(root);
    for (const { name, at } of lateIn(body)) {
      places.push(at);
      names.set(at, name);
    }
    for (const inner of body.inner) visit(inner);
  };
  visit(parseSync(path, text).program);
  return places.map((at) => `${text.slice(0, at).split('\n').length} ${names.get(at)}`);
}

function lateIn({ declared, awaits, handled, added }: Body): { name: string; at: number }[] {
  return [
    ...declared.flatMap(({ name, init, end }) => {
      const [first] = awaits.filter(({ start, argument }) => start > end && waitsFor(argument).includes(name));
      const between = awaits.find((other) => other.start > end && first !== undefined && other.end < first.start);
      if (first === undefined || between === undefined || isHandled(init)) return [];
      if (handled.some((handler) => handler.name === name && handler.at < between.start)) return [];
      const items = added.filter(({ to }) => to === name).map(({ what }) => what);
      const isSafe = (what: Node | undefined): boolean =>
        what !== undefined &&
        (isHandled(what) || declared.some((one) => one.name === nameOf(what) && isHandled(one.init)));
      return items.length > 0 && items.every(isSafe) ? [] : [{ name, at: end }];
    }),
    // `[begin(), await other()]`: the first of the list has no handler while the second is awaited.
    ...awaits.flatMap(({ argument, start }) => {
      const list = listOf(argument);
      const at = list.findIndex((item) => contains(item, 'AwaitExpression'));
      return at > 0 && list.slice(0, at).some((item) => item.type === 'CallExpression')
        ? [{ name: 'list', at: start }]
        : [];
    }),
  ];
}

function readBody(root: Node): Body {
  const body: Body = { declared: [], awaits: [], handled: [], added: [], inner: [] };
  const walk = (node: Node): void => {
    if (isFunction(node)) return void body.inner.push(node);
    if (node.type === 'VariableDeclarator' && node.init !== null && node.id.type === 'Identifier')
      body.declared.push({ name: node.id.name, init: plain(node.init), end: node.end });
    if (node.type === 'AwaitExpression') body.awaits.push(node);
    if (node.type === 'ForOfStatement' && node.await)
      body.awaits.push({ argument: undefined, start: node.start, end: node.right.end });
    if (node.type === 'CallExpression' && node.callee.type === 'MemberExpression') {
      const [to, method] = [nameOf(node.callee.object), nameOf(node.callee.property)];
      const handles = method === 'catch' || (method === 'then' && node.arguments.length === 2);
      if (to !== undefined && handles) body.handled.push({ name: to, at: node.start });
      if (to !== undefined && (method === 'push' || method === 'add')) body.added.push({ to, what: node.arguments[0] });
    }
    for (const child of childrenOf(node)) walk(child);
  };
  for (const child of childrenOf(root)) walk(child);
  return body;
}

/** Names of the promises that an await waits for. */
function waitsFor(argument: Node | undefined): string[] {
  if (argument === undefined) return [];
  const node = plain(argument);
  if (node.type === 'Identifier') return [node.name];
  if (node.type === 'SpreadElement') return waitsFor(node.argument);
  // Of `Promise.withResolvers()`.
  if (node.type === 'MemberExpression' && nameOf(node.property) === 'promise') return waitsFor(node.object);
  return node.type === 'CallExpression' && isCombination(node) ? node.arguments.flatMap(itemsOf).flatMap(waitsFor) : [];
}

function listOf(argument: Node | undefined): Node[] {
  const node = argument === undefined ? undefined : plain(argument);
  return node?.type === 'CallExpression' && isCombination(node) ? node.arguments.flatMap(itemsOf) : [];
}

function itemsOf(node: Node): Node[] {
  return node.type === 'ArrayExpression' ? node.elements.filter((item) => item !== null) : [node];
}

function isCombination({ callee }: Node & { type: 'CallExpression' }): boolean {
  if (callee.type !== 'MemberExpression' || nameOf(callee.object) !== 'Promise') return false;
  return COMBINES.has(nameOf(callee.property) ?? '');
}

/** True if a value was awaited, or has a handler where it begins. */
function isHandled(value: Node): boolean {
  const node = plain(value);
  if (node.type === 'AwaitExpression') return true;
  if (node.type !== 'CallExpression') return false;
  return (
    nameOf(node.callee) === HELPER ||
    (node.callee.type === 'MemberExpression' && nameOf(node.callee.property) === 'catch')
  );
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' ? node.name : undefined;
}

function plain(node: Node): Node {
  const isWrapped = node.type === 'TSAsExpression' || node.type === 'ParenthesizedExpression';
  return isWrapped ? plain(node.expression) : node;
}

function contains(node: Node, type: Node['type']): boolean {
  if (node.type === type) return true;
  return !isFunction(node) && childrenOf(node).some((child) => contains(child, type));
}

function isFunction({ type }: Node): boolean {
  return type === 'FunctionDeclaration' || type === 'FunctionExpression' || type === 'ArrowFunctionExpression';
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value: unknown) => (Array.isArray(value) ? value : [value]).filter(isNode));
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
