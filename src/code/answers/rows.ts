import { MOST_UNREAD, unreadNotes } from '../../kernel/unread-files.ts';
import { counted } from '../../kernel/counted.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { CodeToolArguments, ActionCall } from './code-tool-input.ts';
import type { Grade, SymbolKind, SymbolRow } from '../../code-index/format/rows.ts';
import { CODE_ROWS } from '../outputs/outputs.ts';
import { bodyOfRow } from '../../platform/row-body.ts';
import { SYMBOL_KINDS } from '../../code-index/format/shard-schema.ts';

/** Marks of grades at the end of a line. */
export const GRADE_MARKS: Record<Grade, string> = { exact: '=', resolved: '~', name: '?' };

/** Makes rows of one repository; over several, groups and JSON name the repository. */
export interface RowMaker {
  group: (path: string) => string;
  /** Its name, where several were asked: the first field of a row. */
  repo: { repo?: string };
  /** The row as its schema says: see `bodyOfRow`. */
  json: typeof bodyOfRow;
}

export function rowMaker(call: ActionCall, repository: IndexedRepository): RowMaker {
  const { repo } = repository.provenance;
  const isOne = call.sources.repositories.length === 1;
  const named = isOne ? {} : { repo };
  return {
    group: (path) => (isOne ? path : `${repo}: ${path}`),
    repo: named,
    json: (schema, row, own) => ({ ...named, ...bodyOfRow(schema, row, own) }),
  };
}

/** Fields that identify a symbol. */
interface Handled {
  qualified: string;
  /** Of an overload. */
  parameters?: string;
  path: string;
}

/** The handle that other calls take for a symbol. */
export function symbolHandle({ qualified, parameters = '', path }: Handled): string {
  return `sym:${qualified}${parameters}@${path}`;
}

/** Lines of a symbol: `12-40`, `7` for one. */
export function linesOf(from: number, to: number): string {
  return from === to ? `${from}` : `${from}-${to}`;
}

/** A signature that says what is declared: by a word before the name, or by the parameters behind it. */
const SAYS_KIND =
  /^(?:[^=(]*\s)?(?:class|interface|struct|enum|trait|type|record|object|protocol|extension|impl|mod|module|namespace|func|function|def|fn|fun|sub|const|let|var|val)\b|^[^=(]*\(/;

/** Heading of a symbol: `class Mailer extends Base`, `send(to: string)`, `constant LIMIT = 5`; states the kind once. */
export function headOf({ kind, qualified, signature }: { kind: string; qualified: string; signature: string }): string {
  if (signature === '') return `${kind} ${qualified}`;
  const head = tidyHead(signature);
  return SAYS_KIND.test(head) ? head : `${kind} ${head}`;
}

/** A signature, which is that of the source joined into one line, without what the line ends left in it. */
export function tidyHead(signature: string): string {
  return signature
    .replaceAll(/([([])\s+/g, '$1')
    .replaceAll(/,?\s+([)\]])/g, '$1')
    .replace(/\s*(?:[:{]|=>)$/, '');
}

/** A symbol as a row of a search: `41 function async function sendMail(to: string)  refs 12`. */
export function symbolRow(make: RowMaker, row: SymbolRow): Row {
  const { path, line, qualified, exported, refs } = row;
  const facts = [...(exported ? ['exported'] : []), `refs ${refs}`].join(', ');
  return {
    group: make.group(path),
    id: `${line} ${qualified}`,
    line: `${line} ${headOf(row)}  ${facts}`,
    json: make.json(CODE_ROWS.symbol, row, { id: symbolHandle(row) }),
  };
}

/** Arguments that a suggested call copies from a call, so that it uses the same index: ` repo="shop" ref="next"`, or nothing. */
export function sameIndex({ repo, ref }: Pick<CodeToolArguments, 'repo' | 'ref'>): string {
  const given = Object.entries({ repo, ref }).filter(([, value]) => value !== undefined && value.trim() !== '');
  return given.map(([name, value]) => ` ${name}=${JSON.stringify(value)}`).join('');
}

/**
 * The query, which this action cannot do without.
 *
 * @throws ServiceError `bad_argument`.
 */
export function requireQuery(args: CodeToolArguments, example: string): string {
  const { action, query } = args;
  if (query !== undefined && query.trim() !== '') return query.trim();
  throw new ServiceError('bad_argument', `The action ${action} needs a query.`, {
    fix: `code-tool ${action} query=${JSON.stringify(example)}${sameIndex(args)}`,
  });
}

/** @throws ServiceError `bad_argument` for a kind that no symbol has. */
export function symbolKinds({ action, kind }: CodeToolArguments): SymbolKind[] | undefined {
  if (kind === undefined || kind.length === 0) return undefined;
  return kind.map((word) => {
    const match = SYMBOL_KINDS.find((symbolKind) => symbolKind === word.toLowerCase());
    if (match !== undefined) return match;
    throw new ServiceError('bad_argument', `"${word}" is not a kind of symbol.`, {
      fix: `code-tool ${action} with kind from: ${SYMBOL_KINDS.join(', ')}`,
    });
  });
}

/** Notes on why there is nothing: what was searched, what of it is not in the index, and what is near. */
export async function emptyNotes(call: ActionCall, name?: string): Promise<string[]> {
  const { path, tests } = call.args;
  const { sources } = call;
  const isWhole = path === undefined && tests === 'include';
  const catalog = isWhole
    ? await call.select({})
    : { files: 0, apart: sources.repositories, unread: sources.repositories };
  const answers = await sources.askAll(['countFiles', { path, tests }], catalog.apart);
  const files = answers.reduce((sum, { result }) => sum + result, catalog.files);
  const where = [...(path === undefined ? [] : [`under ${path}`]), ...(tests === 'include' ? [] : [`tests=${tests}`])];
  const notes = [`nothing found in ${counted(files, 'file')}${where.length === 0 ? '' : ` (${where.join(', ')})`}`];
  if (files === 0 && path !== undefined) notes.push(await unmatchedNote(call, path));
  const unread = await sources.askAll(['unreadFiles', { path, tests, limit: MOST_UNREAD }], catalog.unread);
  notes.push(...unreadNotes(unread.map(({ result }) => result)));
  if (name === undefined) return notes;
  const near = await findNearestNames(call, name);
  return near.length === 0 ? notes : [...notes, `nearest names: ${near.join(', ')}`];
}

/** Says that no file matches a path, and how many do further down. */
async function unmatchedNote(call: ActionCall, path: string): Promise<string> {
  const anywhere = `**/${path.replace(/^(?:\.?\/)+/, '')}`;
  const answers = await call.sources.askAll(['countFiles', { path: anywhere, tests: call.args.tests }]);
  const count = answers.reduce((sum, { result }) => sum + result, 0);
  const below = count === 0 ? '' : `; path=${JSON.stringify(anywhere)} matches ${counted(count, 'file')}`;
  return `no indexed file matches path=${JSON.stringify(path)}${below}`;
}

/** Names in the indexes that look like this one, at most 5. */
export async function findNearestNames(call: ActionCall, name: string): Promise<string[]> {
  const { may } = await call.select({ names: name });
  const answers = await call.sources.askAll(['nearestNames', { name, limit: 5 }], may);
  return [...new Set(answers.flatMap(({ result }) => result))].slice(0, 5);
}
