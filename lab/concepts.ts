/** Counts the files of the service that make one concept, by what their code does. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'oxc-parser';

const ROOT = join(import.meta.dirname, '..');
/** A node of a syntax tree, of which only the fields that a definition reads are named. */
interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

/** True if a node makes a concept; `parents` are the nodes around it, the nearest last. */
type Definition = (node: SyntaxNode, parents: readonly SyntaxNode[]) => boolean;

const WORDS = 'alpha, beta (gamma; "delta")';
const CUT = ['alpha', 'beta', 'gamma', 'delta'];
/** Folders that hold no code of the product. */
const ORDINARY =
  'alder mailer servers storage networks widgets hats accounts internal core lines index main report generator vendors'.split(
    ' ',
  );
const ASIDE =
  'test tests __tests__ examples vendor node_modules third_party docs fixtures generated dist benchmarks'.split(' ');
const FUNCTION_WORDS = new Set(
  'the of and to in is are was were with for what how which where when who why by or as at from this that it its not be have has do does on a an i me my myself we our ours ourselves you your yours he him his she her hers they them their about into before after above below up down out off over under then once here there all any both each few more most other some such no nor only same so than too very'.split(
    ' ',
  ),
);
const [LEAST_LISTED, LISTED_SHARE] = [12, 0.4];
const LEAST_ENTRIES = 10;

/** Each concept, with what a file that makes it has. */
export const CONCEPTS: Readonly<Record<string, { counted: string; makes: Definition }>> = {
  words: {
    counted: 'patterns that cut a text with punctuation into its words',
    makes: (node, parents) => {
      const pattern = patternOf(node);
      if (pattern === undefined) return false;
      if (isArgumentOf(node, parents, 'split')) return isSame(WORDS.split(pattern).filter(Boolean), CUT);
      return pattern.global && isSame(WORDS.match(pattern) ?? [], CUT);
    },
  },
  idf: {
    counted: 'logarithms of a quotient',
    makes: (node) => isCallOf(node, 'Math', 'log') && contains(node['arguments'], (inner) => inner['operator'] === '/'),
  },
  'stop words': {
    counted: 'lists of words of which many are articles, prepositions and question words',
    makes: (node) => {
      const text = textOf(node) ?? patternOf(node)?.source ?? '';
      // A list has words only, and each of them once.
      if (/[.,;]/.test(text)) return false;
      const listed = text.match(/[a-z]+/g) ?? [];
      const matches = new Set(listed.filter((word) => FUNCTION_WORDS.has(word)));
      return matches.size >= LEAST_LISTED && matches.size >= listed.length * LISTED_SHARE;
    },
  },
  stems: {
    counted: 'replacements that make "cat" of "cats"',
    makes: (node, parents) => {
      const pattern = patternOf(node);
      return pattern !== undefined && isArgumentOf(node, parents, 'replace') && 'cats'.replace(pattern, '') === 'cat';
    },
  },
  'near words': {
    counted: 'tables of words and what code calls them: ten lines of "words: words" and more',
    makes: (node) => (textOf(node)?.match(/^[a-z, ]+: [a-z ]+$/gm)?.length ?? 0) >= LEAST_ENTRIES,
  },
  'near spellings': {
    counted: 'calls of editDistance: who decides how many edits are near',
    makes: (node) => node.type === 'CallExpression' && nameOf(node['callee']) === 'editDistance',
  },
  'stands aside': {
    counted: 'patterns of paths that tell folders of tests, examples, documents or vendored code from others',
    makes: (node) => {
      const pattern = patternOf(node);
      if (pattern === undefined) return false;
      const plain = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
      const accepts = (folder: string): boolean =>
        plain.test(`${folder}/zq.zq`) && ![`of ${folder} zq`, `${folder} zq`].some((prose) => plain.test(prose));
      return ASIDE.some(accepts) && !ORDINARY.some((folder) => plain.test(`${folder}/zq.zq`));
    },
  },
  lexers: {
    counted: 'loops that compare a character with a backslash and with a quote: readers of quoted texts, of any format',
    makes: (node, parents) => {
      if (!/^(?:While|For|DoWhile)Statement$/.test(node.type)) return false;
      const constants = constantsOf(parents[0]);
      return [BACKSLASHES, QUOTES].every((values) =>
        contains(node, (inner) => isComparedWith(inner, values, constants)),
      );
    },
  },
};

const BACKSLASHES: ReadonlySet<unknown> = new Set(['\\', 0x5c]);
const QUOTES: ReadonlySet<unknown> = new Set(['"', "'", '`', 0x22, 0x27, 0x60]);

/** True for a comparison, or a case of a switch, with one of some values: as they are, or by the name of a constant. */
function isComparedWith(
  node: SyntaxNode,
  values: ReadonlySet<unknown>,
  constants: ReadonlyMap<string, unknown>,
): boolean {
  const isComparison = node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node['operator']));
  if (!isComparison && node.type !== 'SwitchCase') return false;
  const operands = isComparison ? [node['left'], node['right']] : [node['test']];
  return operands.some(
    (operand) =>
      isNode(operand) &&
      values.has(operand.type === 'Literal' ? operand['value'] : constants.get(nameOf(operand) ?? '')),
  );
}

/** Values of the constants of a file that are a literal, by name. */
function constantsOf(program: SyntaxNode | undefined): ReadonlyMap<string, unknown> {
  const constants = new Map<string, unknown>();
  walk(program, [], (node) => {
    const value = node['init'];
    if (node.type === 'VariableDeclarator' && isNode(value) && value.type === 'Literal')
      constants.set(nameOf(node['id']) ?? '', value['value']);
  });
  return constants;
}

/** Fields from which on an object and a schema that share most of them describe the same row. */
const [LEAST_FIELDS, SHARED_FIELDS] = [8, 0.8];

/**
 * Objects that copy by hand, under their names, most of the fields that a schema of their slice has: each field is then named in
 * both. One that computes its values makes the row, and has to list them.
 */
export function findCopiedShapes(): string[] {
  const shapes = readTrees().flatMap(({ path, tree }) => {
    const objects: { path: string; isSchema: boolean; fields: ReadonlySet<string> }[] = [];
    walk(tree, [], (node, parents) => {
      if (node.type !== 'ObjectExpression') return;
      const fields = new Set((node['properties'] as SyntaxNode[]).flatMap(({ key }) => nameOf(key) ?? []));
      if (fields.size < LEAST_FIELDS) return;
      const isSchema = isArgumentOf(node, parents, 'object');
      if (isSchema || isCopy(node, parents)) objects.push({ path, isSchema, fields });
    });
    return objects;
  });
  return shapes
    .filter(({ isSchema }) => !isSchema)
    .filter((object) =>
      shapes.some(({ isSchema, path, fields }) => {
        if (!isSchema || sliceOf(path) !== sliceOf(object.path)) return false;
        return fields.intersection(object.fields).size >= SHARED_FIELDS * fields.union(object.fields).size;
      }),
    )
    .map(({ path }) => path);
}

/** True if at least half of the fields of an object have the name and the value of a field of another one. */
function isCopy(object: SyntaxNode, parents: readonly SyntaxNode[]): boolean {
  const taken = new Set<string>();
  walk(
    parents.findLast(({ type }) => type.includes('Function')),
    [],
    (node) => {
      if (node.type !== 'ObjectPattern') return;
      for (const { value } of node['properties'] as SyntaxNode[]) taken.add(nameOf(value) ?? '');
    },
  );
  const properties = object['properties'] as SyntaxNode[];
  const copied = properties.filter(({ key, value }) => fieldRead(value, taken) === camelCase(nameOf(key) ?? ''));
  return copied.length >= properties.length / 2;
}

/** The field that an expression reads: `name` of `row.name`, `row?.name ?? null`, `row.name.toISOString()`, or `name` of a pattern. */
function fieldRead(value: unknown, taken: ReadonlySet<string>): string | undefined {
  if (!isNode(value)) return undefined;
  if (value.type === 'LogicalExpression') return fieldRead(value['left'], taken);
  if (value.type === 'ChainExpression') return fieldRead(value['expression'], taken);
  if (value.type === 'CallExpression' && isNode(value['callee'])) return fieldRead(value['callee']['object'], taken);
  if (value.type === 'Identifier') return taken.has(nameOf(value) ?? '') ? nameOf(value) : undefined;
  return value.type === 'MemberExpression' ? nameOf(value) : undefined;
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function sliceOf(path: string): string {
  return path.split('/')[1] ?? '';
}

/** Files of `src/` that make each concept, without tests.  */
export function findMakers(): Map<string, string[]> {
  const makers = new Map(Object.keys(CONCEPTS).map((concept) => [concept, [] as string[]]));
  for (const { path, tree } of readTrees()) {
    // A language has rules of its own, but no lexer.
    const isLanguage = path.startsWith('src/languages/');
    const open = new Map(Object.entries(CONCEPTS).filter(([concept]) => !isLanguage || concept === 'lexers'));
    walk(tree, [], (node, parents) => {
      for (const [concept, { makes }] of open) {
        if (!makes(node, parents)) continue;
        makers.get(concept)?.push(path);
        open.delete(concept);
      }
    });
  }
  return makers;
}

function readTrees(): { path: string; tree: SyntaxNode }[] {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((path) => !/\.test\.ts$|^src\/testing\//.test(path));
  return files.toSorted().map((path) => {
    const { program } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'));
    return { path, tree: program as unknown as SyntaxNode };
  });
}

function walk(
  node: unknown,
  parents: readonly SyntaxNode[],
  visit: (node: SyntaxNode, parents: readonly SyntaxNode[]) => void,
): void {
  if (Array.isArray(node)) for (const one of node) walk(one, parents, visit);
  else if (isNode(node)) {
    visit(node, parents);
    for (const field of Object.values(node)) walk(field, [...parents, node], visit);
  }
}

function contains(node: unknown, accepts: (node: SyntaxNode) => boolean): boolean {
  if (Array.isArray(node)) return node.some((one) => contains(one, accepts));
  return isNode(node) && (accepts(node) || Object.values(node).some((field) => contains(field, accepts)));
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function nameOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  return node.type === 'MemberExpression' ? nameOf(node['property']) : (node['name'] as string | undefined);
}

function textOf(node: SyntaxNode): string | undefined {
  if (node.type === 'TemplateElement') return (node['value'] as { raw: string }).raw;
  return node.type === 'Literal' && typeof node['value'] === 'string' ? node['value'] : undefined;
}

function patternOf(node: SyntaxNode): RegExp | undefined {
  const regex = node['regex'] as { pattern: string; flags: string } | undefined;
  return node.type === 'Literal' && regex ? new RegExp(regex.pattern, regex.flags) : undefined;
}

function isArgumentOf(node: SyntaxNode, parents: readonly SyntaxNode[], method: string): boolean {
  const call = parents.at(-1);
  return call?.type === 'CallExpression' && nameOf(call['callee']) === method && call['callee'] !== node;
}

function isCallOf(node: SyntaxNode, object: string, method: string): boolean {
  const callee = node['callee'];
  return (
    node.type === 'CallExpression' && isNode(callee) && nameOf(callee) === method && nameOf(callee['object']) === object
  );
}

function isSame(list: readonly string[], other: readonly string[]): boolean {
  return list.length === other.length && list.every((one, at) => one === other[at]);
}
