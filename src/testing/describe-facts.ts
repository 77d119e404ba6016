import { operandsOf } from '../languages/facts/node-operands.ts';
import {
  CommentKind,
  DefinitionFlag,
  DefinitionKind,
  ExportHow,
  Facet,
  type FileFacts,
  NodeOp,
  ReferenceHow,
  UseFlag,
} from '../languages/facts/facts.ts';
import { intAt } from '../languages/facts/table.ts';

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
    const describe = DESCRIBERS[section];
    return Array.from({ length: facts[section].count }, (_, row) => describe(facts, row));
  });
}

const DESCRIBERS: Record<Section, (facts: FileFacts, row: number) => string> = {
  definitions: describeDefinition,
  facets: (facts, row) => {
    const { facets } = facts;
    const facet = nameOf(Facet, facets.facet(row));
    const node = facets.node(row);
    const what = facet === 'typeParameter' ? definitionName(facts, node) : describeNode(facts, node);
    return `facet ${definitionName(facts, facets.definition(row))} ${facet} ${what}`;
  },
  references: describeReference,
  members: (facts, row) => {
    const { members } = facts;
    const location = `${text(facts, members.name(row))} ${position(facts, members.start(row))}`;
    return `member ${location} ${flags(UseFlag, members.flags(row))} of ${describeNode(facts, members.receiver(row))}`;
  },
  keys: (facts, row) => {
    const { keys } = facts;
    const location = `${text(facts, keys.name(row))} ${position(facts, keys.start(row))}`;
    return `key ${location} in ${describeNode(facts, keys.context(row))}`;
  },
  exports: describeExport,
  narrowings: (facts, row) => {
    const { narrowings } = facts;
    const scoped = `${text(facts, narrowings.name(row))} in ${narrowings.scope(row)}`;
    return `narrowing ${scoped} to ${describeNode(facts, narrowings.node(row))}`;
  },
  comments: (facts, row) => {
    const { comments } = facts;
    const definition = comments.definition(row);
    const of = definition < 0 ? '' : ` of ${definitionName(facts, definition)}`;
    const range = `${position(facts, comments.start(row))}-${position(facts, comments.end(row))}`;
    return `comment ${nameOf(CommentKind, comments.kind(row))} ${range}${of}`;
  },
  metrics: (facts, row) => {
    const columns = ['cyclomatic', 'cognitive', 'nesting', 'parameters', 'codeLines'] as const;
    const measures = columns.map((column) => `${column} ${facts.metrics[column](row)}`);
    return `metric ${definitionName(facts, facts.metrics.definition(row))} ${measures.join(' ')}`;
  },
};

function describeDefinition(facts: FileFacts, row: number): string {
  const { definitions } = facts;
  const parts = [`${nameOf(DefinitionKind, definitions.kind(row))} ${definitionName(facts, row)}`];
  if (definitions.nameStart(row) >= 0) parts.push(position(facts, definitions.nameStart(row)));
  const set = flags(DefinitionFlag, definitions.flags(row));
  if (set !== '') parts.push(set);
  if (definitions.owner(row) >= 0) parts.push(`in ${definitionName(facts, definitions.owner(row))}`);
  for (const column of ['type', 'value', 'context'] as const) {
    const node = definitions[column](row);
    if (node !== 0) parts.push(`${column}=${describeNode(facts, node)}`);
  }
  const source = definitions.source(row);
  if (source !== 0) parts.push(`from '${text(facts, source)}' ${text(facts, definitions.imported(row))}`);
  return parts.join(' ');
}

function describeReference(facts: FileFacts, row: number): string {
  const { references } = facts;
  const [a, b] = [references.a(row), references.b(row)];
  const location = `${text(facts, references.name(row))} ${position(facts, references.start(row))}`;
  const head = `reference ${location} ${flags(UseFlag, references.flags(row))}`;
  switch (references.how(row)) {
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

function describeExport(facts: FileFacts, row: number): string {
  const [a, b] = [facts.exports.a(row), facts.exports.b(row)];
  const head = `export ${text(facts, facts.exports.name(row))}`;
  switch (facts.exports.how(row)) {
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
  const code = intAt(facts.nodes, node);
  const op = nameOf(NodeOp, code);
  let at = node + 1;
  const next = (): number => intAt(facts.nodes, at++);
  const describeOperand = (kind: string): string => {
    const value = next();
    if (kind === '#' || kind === 'd') return String(value);
    return kind.toLowerCase() === 's' ? text(facts, value) : describeNode(facts, value, depth + 1);
  };
  const operands = operandsOf(code).map((kind) => {
    if (kind === '.') return at++ < 0 ? '' : undefined;
    if (kind !== 'S' && kind !== 'N') return describeOperand(kind);
    return Array.from({ length: next() }, () => describeOperand(kind)).join(kind === 'S' ? '.' : ', ');
  });
  const shown = operands.filter((operand) => operand !== undefined && operand !== '');
  return shown.length === 0 ? op : `${op}(${shown.join('; ')})`;
}

function definitionName(facts: FileFacts, definition: number): string {
  if (definition < 0) return 'module';
  const name = text(facts, facts.definitions.name(definition));
  return name === '' ? `#${definition}` : name;
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
