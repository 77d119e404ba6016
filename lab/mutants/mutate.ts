import { parseSync, type Program, type Span, Visitor } from 'oxc-parser';

/** One fault that could be put into a file: the replacement of `start` to `end`. */
export interface Mutant {
  line: number;
  start: number;
  end: number;
  replacement: string;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
  '-': '+',
  '*': '/',
  '/': '*',
  '&&': '||',
  '||': '&&',
};
const CALLS: Readonly<Record<string, string>> = { max: 'min', min: 'max', some: 'every', every: 'some' };
/** In SQL. */
const QUERIES: readonly [RegExp, string][] = [
  [/ desc\b/g, ' asc'],
  [/\bmax\(/g, 'min('],
  [/\bmin\(/g, 'max('],
  [/\b(?:account|product)_id = (?=\$\{|\?)/g, "'' <> "],
];

/**
 * Every fault of these kinds in a text of TypeScript: comparisons, arithmetic and logic turned round, branches of conditions
 * exchanged, numbers and truth values changed, orders reversed, filters left out, and in queries the direction of orders and
 * the product. What only makes an error or a text is left alone, and so
 * is the fallback of an index, which the type checker asks for and nothing takes.
 */
export function mutantsOf(path: string, text: string): Mutant[] {
  const { mutants, silent } = faultsOf(path, text);
  return mutants
    .filter(({ start }) => !silent.some(([from, to]) => start >= from && start < to))
    .filter((mutant) => parseSync(path, withMutant(text, mutant)).errors.length === 0)
    .toSorted((a, b) => a.start - b.start || a.end - b.end);
}

/**
 * Each number of a text a fifth higher and a fifth lower, a count by one: a test at the boundary notices both. 0 and 1 are left
 * alone.
 */
export function shiftedNumbersOf(path: string, text: string): Mutant[] {
  const { mutants, silent } = faultsOf(path, text);
  return mutants
    .filter(({ start }) => !silent.some(([from, to]) => start >= from && start < to))
    .flatMap((mutant) => {
      const written = text.slice(mutant.start, mutant.end);
      const value = /^\d[\d_.e-]*$/.test(written) ? Number(written.replaceAll('_', '')) : 0;
      return value === 0 || value === 1
        ? []
        : shifted(value).map((other) => ({ ...mutant, replacement: String(other) }));
    });
}

function shifted(value: number): number[] {
  if (!Number.isInteger(value)) return [value * 1.2, value * 0.8].map((other) => Number(other.toPrecision(6)));
  const by = Math.max(1, Math.round(value / 5));
  return [value + by, value - by];
}

/** All faults, and where none is to be put. */
function faultsOf(path: string, text: string): { mutants: Mutant[]; silent: [start: number, end: number][] } {
  const { program } = parseSync(path, text);
  const mutants: Mutant[] = [];
  const silent: [start: number, end: number][] = [];
  const add = (start: number, end: number, replacement: string): void => {
    mutants.push({ line: text.slice(0, start).split('\n').length, start, end, replacement });
  };
  const source = ({ start, end }: Span): string => text.slice(start, end);
  const addQueries = (literal: Span): void => {
    for (const { start, end, replacement } of queryFaults(text, literal)) add(start, end, replacement);
  };
  const operator = ({ left, right, operator: sign }: Infix): void => {
    const other = COMPARISONS[sign];
    const at = text.indexOf(sign, left.end);
    if (other !== undefined && at < right.start) add(at, at + sign.length, other);
  };
  new Visitor({
    BinaryExpression: operator,
    LogicalExpression: (infix) => {
      operator(infix);
      const { left, right } = infix;
      const isFallback = infix.operator === '??' && left.type === 'MemberExpression' && left.computed;
      if (isFallback) silent.push([right.start, right.end]);
    },
    ConditionalExpression: ({ consequent, alternate }) => {
      const between = text.slice(consequent.end, alternate.start);
      add(consequent.start, alternate.end, `${source(alternate)}${between}${source(consequent)}`);
    },
    IfStatement: ({ test }) => add(test.start, test.end, `!(${source(test)})`),
    UnaryExpression: ({ operator: sign, start, argument }) => {
      if (sign === '!') add(start, argument.start, '');
    },
    Literal: ({ value, start, end }) => {
      if (typeof value === 'boolean') add(start, end, String(!value));
      else if (typeof value === 'number') add(start, end, String(otherNumber(value)));
      else if (typeof value === 'string') addQueries({ start, end });
    },
    TemplateLiteral: ({ start, end }) => addQueries({ start, end }),
    CallExpression: ({ callee, arguments: given, end }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return;
      const { name, start } = callee.property;
      const other = CALLS[name];
      if (other !== undefined) add(start, start + name.length, other);
      const [first] = given;
      if (name === 'filter') add(callee.object.end, end, '');
      if ((name === 'sort' || name === 'toSorted') && first?.type === 'ArrowFunctionExpression') {
        const [left, right] = first.params;
        if (left !== undefined && right !== undefined) add(left.start, right.end, `${source(right)}, ${source(left)}`);
      }
    },
    ThrowStatement: ({ start, end }) => void silent.push([start, end]),
    TSTypeAnnotation: ({ start, end }) => void silent.push([start, end]),
    TSInterfaceDeclaration: ({ start, end }) => void silent.push([start, end]),
    TSTypeAliasDeclaration: ({ start, end }) => void silent.push([start, end]),
    ImportDeclaration: ({ start, end }) => void silent.push([start, end]),
  }).visit(program);
  silent.push(...errorsIn(program));
  return { mutants, silent };
}

/** Where errors are made, thrown or not. */
function errorsIn(program: Program): [start: number, end: number][] {
  const errors: [start: number, end: number][] = [];
  new Visitor({
    NewExpression: ({ callee, start, end }) => {
      if (callee.type === 'Identifier' && callee.name.endsWith('Error')) errors.push([start, end]);
    },
  }).visit(program);
  return errors;
}

/** Faults in a text of SQL. */
function queryFaults(text: string, { start, end }: Span): Omit<Mutant, 'line'>[] {
  const query = text.slice(start, end);
  if (!/\b(?:select|order by|account_id)\b/.test(query)) return [];
  return QUERIES.flatMap(([pattern, replacement]) =>
    [...query.matchAll(pattern)].map(({ 0: match, index }) => {
      return { start: start + index, end: start + index + match.length, replacement };
    }),
  );
}

/** The text with the fault in it. */
export function withMutant(text: string, { start, end, replacement }: Mutant): string {
  return text.slice(0, start) + replacement + text.slice(end);
}

interface Infix {
  left: Span;
  right: Span;
  operator: string;
}

/** Far enough from the number that no order stays by chance. */
function otherNumber(value: number): number {
  if (value === 0) return 1;
  if (value === 1) return 0;
  return Number.isInteger(value) && value < 4 ? value + 2 : value / 5;
}
