import { operandsOf } from '../languages/facts/node-operands.ts';
import {
  Comment,
  CommentKind,
  Definition,
  DefinitionFlag,
  DefinitionKind,
  Export,
  ExportHow,
  Facet,
  FacetColumn,
  type FileFacts,
  Key,
  Member,
  Metric,
  Narrowing,
  NodeOp,
  Reference,
  ReferenceHow,
  UseFlag,
} from '../languages/facts/facts.ts';

/** Deeper nodes are written as `…`: the context of an argument names its call, which has the argument. */
const DEEPEST = 6;

/** The parts of facts that tests read by themselves. */
export const SECTIONS = [
  'definitions',
  'facets',
  'references',
  'members',
  'keys',
  'exports',
  'narrowings',
  'comments',
  'metrics',
] as const;
export type Section = (typeof SECTIONS)[number];

/**
 * Facts as lines for tests: one a row, in the order of the tables, positions as `line:column` from 1 and 0. With
 * `sections` only these.
 */
export function describeFacts(facts: FileFacts, sections: readonly Section[] = SECTIONS): string[] {
  return sections.flatMap((section) => {
    const { stride, describe } = DESCRIBERS[section];
    const table = facts[section];
    return Array.from({ length: table.length / stride }, (_, row) =>
      describe(facts, (column) => table[row * stride + column] ?? 0, row),
    );
  });
}

type Columns = (column: number) => number;

const DESCRIBERS: Record<
  Section,
  { stride: number; describe: (facts: FileFacts, at: Columns, row: number) => string }
> = {
  definitions: { stride: Definition.stride, describe: describeDefinition },
  facets: {
    stride: FacetColumn.stride,
    describe: (facts, at) => {
      const facet = nameOf(Facet, at(FacetColumn.facet));
      const node = at(FacetColumn.node);
      const what = facet === 'typeParameter' ? definitionName(facts, node) : describeNode(facts, node);
      return `facet ${definitionName(facts, at(FacetColumn.definition))} ${facet} ${what}`;
    },
  },
  references: { stride: Reference.stride, describe: describeReference },
  members: {
    stride: Member.stride,
    describe: (facts, at) => {
      const place = `${text(facts, at(Member.name))} ${position(facts, at(Member.start))}`;
      return `member ${place} ${flags(UseFlag, at(Member.flags))} of ${describeNode(facts, at(Member.receiver))}`;
    },
  },
  keys: {
    stride: Key.stride,
    describe: (facts, at) =>
      `key ${text(facts, at(Key.name))} ${position(facts, at(Key.start))} in ${describeNode(facts, at(Key.context))}`,
  },
  exports: { stride: Export.stride, describe: describeExport },
  narrowings: {
    stride: Narrowing.stride,
    describe: (facts, at) =>
      `narrowing ${text(facts, at(Narrowing.name))} in ${at(Narrowing.scope)} to ${describeNode(facts, at(Narrowing.node))}`,
  },
  comments: {
    stride: Comment.stride,
    describe: (facts, at) => {
      const of = at(Comment.definition) < 0 ? '' : ` of ${definitionName(facts, at(Comment.definition))}`;
      const range = `${position(facts, at(Comment.start))}-${position(facts, at(Comment.end))}`;
      return `comment ${nameOf(CommentKind, at(Comment.kind))} ${range}${of}`;
    },
  },
  metrics: {
    stride: Metric.stride,
    describe: (facts, at) => {
      const columns = ['cyclomatic', 'cognitive', 'nesting', 'parameters', 'codeLines'] as const;
      const measures = columns.map((column) => `${column} ${at(Metric[column])}`);
      return `metric ${definitionName(facts, at(Metric.definition))} ${measures.join(' ')}`;
    },
  },
};

function describeDefinition(facts: FileFacts, at: Columns, row: number): string {
  const parts = [`${nameOf(DefinitionKind, at(Definition.kind))} ${definitionName(facts, row)}`];
  if (at(Definition.nameStart) >= 0) parts.push(position(facts, at(Definition.nameStart)));
  const set = flags(DefinitionFlag, at(Definition.flags));
  if (set !== '') parts.push(set);
  if (at(Definition.owner) >= 0) parts.push(`in ${definitionName(facts, at(Definition.owner))}`);
  for (const column of ['type', 'value', 'context'] as const) {
    const node = at(Definition[column]);
    if (node !== 0) parts.push(`${column}=${describeNode(facts, node)}`);
  }
  if (at(Definition.source) !== 0)
    parts.push(`from '${text(facts, at(Definition.source))}' ${text(facts, at(Definition.imported))}`);
  return parts.join(' ');
}

function describeReference(facts: FileFacts, at: Columns): string {
  const [a, b] = [at(Reference.a), at(Reference.b)];
  const place = `${text(facts, at(Reference.name))} ${position(facts, at(Reference.start))}`;
  const head = `reference ${place} ${flags(UseFlag, at(Reference.flags))}`;
  switch (at(Reference.how)) {
    case ReferenceHow.bound:
      return `${head} bound ${definitionName(facts, a)}`;
    case ReferenceHow.from:
      return `${head} ${text(facts, b)} from '${text(facts, a)}'`;
    case ReferenceHow.module:
      return `${head} module '${text(facts, a)}'`;
    default:
      return head;
  }
}

function describeExport(facts: FileFacts, at: Columns): string {
  const [a, b] = [at(Export.a), at(Export.b)];
  const head = `export ${text(facts, at(Export.name))}`;
  switch (at(Export.how)) {
    case ExportHow.local:
      return `${head} = ${definitionName(facts, a)}`;
    case ExportHow.named:
      return `${head} named ${text(facts, b)}`;
    case ExportHow.from:
      return `${head} = ${text(facts, b)} from '${text(facts, a)}'`;
    default:
      return `export * from '${text(facts, a)}'`;
  }
}

/** A node as `Op(operands)`; scopes are left out. */
export function describeNode(facts: FileFacts, node: number, depth = 0): string {
  if (node === 0) return '?';
  if (depth > DEEPEST) return '…';
  const code = facts.nodes[node] ?? 0;
  const op = nameOf(NodeOp, code);
  let at = node + 1;
  const next = (): number => facts.nodes[at++] ?? 0;
  const one = (kind: string): string => {
    const value = next();
    if (kind === '#' || kind === 'd') return String(value);
    return kind.toLowerCase() === 's' ? text(facts, value) : describeNode(facts, value, depth + 1);
  };
  const operands = operandsOf(code).map((kind) => {
    if (kind === '.') return at++ < 0 ? '' : undefined;
    if (kind !== 'S' && kind !== 'N') return one(kind);
    return Array.from({ length: next() }, () => one(kind)).join(kind === 'S' ? '.' : ', ');
  });
  const shown = operands.filter((operand) => operand !== undefined && operand !== '');
  return shown.length === 0 ? op : `${op}(${shown.join('; ')})`;
}

function definitionName(facts: FileFacts, definition: number): string {
  const name = text(facts, facts.definitions[definition * Definition.stride + Definition.name] ?? 0);
  return definition < 0 ? 'module' : name === '' ? `#${definition}` : name;
}

const text = (facts: FileFacts, id: number): string => facts.strings[id] ?? '';

function position({ lines }: FileFacts, offset: number): string {
  const line = lines.findLastIndex((start) => start <= offset);
  return `${line + 1}:${offset - (lines[line] ?? 0)}`;
}

function nameOf(names: Readonly<Record<string, number>>, code: number): string {
  return Object.keys(names).find((name) => names[name] === code) ?? String(code);
}

function flags(names: Readonly<Record<string, number>>, set: number): string {
  return Object.keys(names)
    .filter((name) => (set & (names[name] ?? 0)) !== 0)
    .join('+');
}
