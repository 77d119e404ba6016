import { DefinitionKind, type FileFacts } from './facts.ts';
import { lineOf } from './lines.ts';

/** Kinds whose braces hold members. */
const TYPES: ReadonlySet<number> = new Set([
  DefinitionKind.class,
  DefinitionKind.interface,
  DefinitionKind.struct,
  DefinitionKind.trait,
  DefinitionKind.enum,
  DefinitionKind.module,
]);

/**
 * Signs in the layout that a text with errors was read apart, as a number: types in braces that end on a line deeper than
 * the one they start on, so that a bracket of a member closed them, and definitions outside of all types that are
 * indented as members of the type before them.
 */
export function countFaults(text: string, { definitions, lines }: Pick<FileFacts, 'definitions' | 'lines'>): number {
  let faults = 0;
  let type: { indent: number; member: number; end: number } | undefined;
  for (let row = 0; row < definitions.count; row += 1) {
    const [start, end] = [definitions.start(row), definitions.end(row)];
    if (definitions.nameStart(row) < 0 || definitions.kind(row) >= DefinitionKind.parameter) continue;
    const first = lineOf(lines, start);
    const indent = indentOf(text, lines[first] ?? 0);
    if (type !== undefined && start < type.end)
      type.member = type.member === -1 && indent > type.indent ? indent : type.member;
    else if (type !== undefined && definitions.owner(row) === -1 && indent > type.indent && indent === type.member)
      faults += 1;
    if (!TYPES.has(definitions.kind(row)) || definitions.owner(row) !== -1) continue;
    const last = lineOf(lines, Math.max(start, end - 1));
    if (text[end - 1] === '}' && last > first && indentOf(text, lines[last] ?? 0) > indent) faults += 1;
    if (last > first) type = { indent, member: -1, end };
  }
  return faults;
}

function indentOf(text: string, lineStart: number): number {
  let at = lineStart;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at - lineStart;
}
