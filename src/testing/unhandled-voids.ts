import { type Node, parseSync } from 'oxc-parser';

/** Methods of collections, statements and streams: that a class somewhere has an asynchronous one of the name says nothing. */
const COLLECTIONS = new Set(['add', 'set', 'delete', 'get', 'push', 'run', 'write']);

/** Names of functions and methods in a text that give promises. */
export function asyncNames(path: string, text: string): string[] {
  if (!/\basync\b|\bPromise</.test(text)) return [];
  const names: (string | undefined)[] = [];
  visit(parseSync(path, text).program, (node) => {
    if (node.type === 'FunctionDeclaration' && givesPromise(node)) names.push(node.id?.name);
    else if (node.type === 'MethodDefinition' && givesPromise(node.value)) names.push(nameOf(node.key));
    else if (node.type === 'PropertyDefinition' && node.value !== null && givesPromise(node.value))
      names.push(nameOf(node.key));
    else if (node.type === 'VariableDeclarator' && node.init !== null && givesPromise(node.init))
      names.push(nameOf(node.id));
  });
  return names.filter((name) => name !== undefined && !COLLECTIONS.has(name)) as string[];
}

/**
 * Places where `void` throws away the promise of a call that has no handler, such as `() => void save()`: the linter reports
 * statements, not bodies of functions. `line name` each; `isAsync` says which names give promises.
 */
export function unhandledVoids(path: string, text: string, isAsync: (name: string) => boolean): string[] {
  if (!text.includes('void ')) return [];
  const places: string[] = [];
  visit(parseSync(path, text).program, (node) => {
    if (node.type !== 'UnaryExpression' || node.operator !== 'void') return;
    const call = node.argument;
    if (call.type !== 'CallExpression') return;
    const name = call.callee.type === 'MemberExpression' ? nameOf(call.callee.property) : nameOf(call.callee);
    if (name === undefined) return;
    const isHandled = name === 'catch' || (name === 'then' && call.arguments.length === 2);
    const isPromise = isAsync(name) || name === 'then' || name === 'finally';
    if (!isHandled && isPromise) places.push(`${text.slice(0, node.start).split('\n').length} ${name}`);
  });
  return places;
}

function givesPromise(node: Node): boolean {
  if (
    node.type !== 'FunctionDeclaration' &&
    node.type !== 'FunctionExpression' &&
    node.type !== 'ArrowFunctionExpression'
  )
    return false;
  const type = node.returnType?.typeAnnotation;
  return node.async || (type?.type === 'TSTypeReference' && nameOf(type.typeName) === 'Promise');
}

function nameOf(node: Node): string | undefined {
  return node.type === 'Identifier' || node.type === 'PrivateIdentifier' ? node.name : undefined;
}

function visit(node: Node, see: (node: Node) => void): void {
  see(node);
  for (const value of Object.values(node) as unknown[])
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) visit(child, see);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
