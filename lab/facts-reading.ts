import { ExportHow, type FileFacts, ReferenceHow } from '../src/languages/facts/facts.ts';
import { TABLES } from '../src/languages/facts/tables.ts';

/**
 * Reads the facts of a file as resolution does, row after row: definitions, what is said of them, references with the
 * scopes around them, members, keys and exports. Gives a number that depends on every read, by the names of columns.
 */
export function readByName({ definitions, facets, references, scopes, members, keys, exports }: FileFacts): number {
  let sum = 0;
  for (let row = 0; row < definitions.count; row += 1) {
    sum = (sum + definitions.name(row) + definitions.flags(row) + definitions.scope(row)) | 0;
    sum = (sum + (definitions.kind(row) < 32 ? definitions.owner(row) : definitions.type(row))) | 0;
    if (definitions.value(row) !== 0) sum = (sum + definitions.context(row) + definitions.nameStart(row)) | 0;
  }
  for (let row = 0; row < facets.count; row += 1)
    if (facets.facet(row) !== 0) sum = (sum + facets.definition(row) + facets.node(row)) | 0;
  for (let row = 0; row < references.count; row += 1) {
    sum = (sum + references.name(row) + references.start(row) + references.flags(row)) | 0;
    if (references.how(row) !== ReferenceHow.scoped) sum = (sum + references.a(row) + references.b(row)) | 0;
    for (let scope = references.scope(row); scope >= 0; scope = scopes.parent(scope))
      sum = (sum + scopes.kind(scope)) | 0;
  }
  for (let row = 0; row < members.count; row += 1)
    sum = (sum + members.name(row) + members.start(row) + members.receiver(row) + members.flags(row)) | 0;
  for (let row = 0; row < keys.count; row += 1)
    sum = (sum + keys.name(row) + keys.start(row) + keys.context(row) + keys.flags(row)) | 0;
  for (let row = 0; row < exports.count; row += 1)
    if (exports.how(row) !== ExportHow.star) sum = (sum + exports.name(row) + exports.a(row)) | 0;
  return sum;
}

const DEFINITION = TABLES.definitions.columns;
const FACET = TABLES.facets.columns;
const REFERENCE = TABLES.references.columns;
const SCOPE = TABLES.scopes.columns;
const MEMBER = TABLES.members.columns;
const KEY = TABLES.keys.columns;
const EXPORT = TABLES.exports.columns;

/** The same from the plain arrays, with offsets written out and nothing checked: what `readByName` is measured against. */
export function readByOffset(facts: FileFacts): number {
  let sum = 0;
  const definitions = facts.definitions.words;
  for (let at = 0; at < definitions.length; at += TABLES.definitions.width) {
    sum =
      (sum +
        (definitions[at + DEFINITION.name] ?? 0) +
        (definitions[at + DEFINITION.flags] ?? 0) +
        (definitions[at + DEFINITION.scope] ?? 0)) |
      0;
    const isSymbol = (definitions[at + DEFINITION.kind] ?? 0) < 32;
    sum = (sum + (definitions[at + (isSymbol ? DEFINITION.owner : DEFINITION.type)] ?? 0)) | 0;
    if ((definitions[at + DEFINITION.value] ?? 0) !== 0)
      sum = (sum + (definitions[at + DEFINITION.context] ?? 0) + (definitions[at + DEFINITION.nameStart] ?? 0)) | 0;
  }
  const facets = facts.facets.words;
  for (let at = 0; at < facets.length; at += TABLES.facets.width)
    if ((facets[at + FACET.facet] ?? 0) !== 0)
      sum = (sum + (facets[at + FACET.definition] ?? 0) + (facets[at + FACET.node] ?? 0)) | 0;
  const references = facts.references.words;
  const scopes = facts.scopes.words;
  for (let at = 0; at < references.length; at += TABLES.references.width) {
    sum =
      (sum +
        (references[at + REFERENCE.name] ?? 0) +
        (references[at + REFERENCE.start] ?? 0) +
        (references[at + REFERENCE.flags] ?? 0)) |
      0;
    if ((references[at + REFERENCE.how] ?? 0) !== ReferenceHow.scoped)
      sum = (sum + (references[at + REFERENCE.a] ?? 0) + (references[at + REFERENCE.b] ?? 0)) | 0;
    let scope = references[at + REFERENCE.scope] ?? -1;
    while (scope >= 0) {
      sum = (sum + (scopes[scope * TABLES.scopes.width + SCOPE.kind] ?? 0)) | 0;
      scope = scopes[scope * TABLES.scopes.width + SCOPE.parent] ?? -1;
    }
  }
  return (sum + readUsesByOffset(facts)) | 0;
}

function readUsesByOffset(facts: FileFacts): number {
  let sum = 0;
  const members = facts.members.words;
  for (let at = 0; at < members.length; at += TABLES.members.width)
    sum =
      (sum +
        (members[at + MEMBER.name] ?? 0) +
        (members[at + MEMBER.start] ?? 0) +
        (members[at + MEMBER.receiver] ?? 0) +
        (members[at + MEMBER.flags] ?? 0)) |
      0;
  const keys = facts.keys.words;
  for (let at = 0; at < keys.length; at += TABLES.keys.width)
    sum =
      (sum +
        (keys[at + KEY.name] ?? 0) +
        (keys[at + KEY.start] ?? 0) +
        (keys[at + KEY.context] ?? 0) +
        (keys[at + KEY.flags] ?? 0)) |
      0;
  const exports = facts.exports.words;
  for (let at = 0; at < exports.length; at += TABLES.exports.width)
    if ((exports[at + EXPORT.how] ?? 0) !== ExportHow.star)
      sum = (sum + (exports[at + EXPORT.name] ?? 0) + (exports[at + EXPORT.a] ?? 0)) | 0;
  return sum;
}
