import { CODE_ROWS } from '../outputs/outputs.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { counted } from '../../kernel/counted.ts';
import type { Row } from '../../kernel/answer.ts';
import { findSymbols, type SymbolMatch, unknownSymbol } from './find-symbols.ts';
import { headOf, linesOf, requireQuery, rowMaker, sameIndex, symbolHandle } from './rows.ts';
import { addBody } from './search.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './code-tool-input.ts';

/** Lines of a file, 1-based, both ends included. */
interface LineRange {
  path: string;
  from: number;
  to: number;
}

/** Lines that one call reads at most. */
const MOST_LINES = 2_000;

/**
 * Reads `path:10-60` or `path#L10-L60`; undefined when the text has another form.
 *
 * @throws ServiceError `bad_argument` for lines that run backwards or are more than 2,000.
 */
export function parseLineRange(text: string): LineRange | undefined {
  const [, path, first, last] = /^(.+?)(?::|#)L?(\d{1,9})-L?(\d{1,9})$/.exec(text.trim()) ?? [];
  if (path === undefined) return undefined;
  const [from, to] = [Number(first), Number(last)];
  if (from >= 1 && to >= from && to - from < MOST_LINES) return { path, from, to };
  throw new ServiceError('bad_argument', `The lines ${from}-${to} cannot be read.`, {
    fix: `Ask for an ascending range of at most ${MOST_LINES} lines: code-tool definition query="${path}:1-200"`,
  });
}

/** `definition`: where a symbol is defined, or the lines `path:from-to`, all of them for a file alone. Several that match are all shown: never a guess. */
export async function definition(call: ActionCall): Promise<Findings> {
  const query = requireQuery(call.args, 'Mailer/send');
  const range = parseLineRange(query);
  if (range !== undefined) return readLines(call, range);
  const { found, total, notes: searchNotes } = await findSymbols(call, query);
  if (total === 0) {
    const files = await call.sources.askAll(['fileMeant', { path: query }]);
    if (files.some(({ result }) => result !== undefined))
      return readLines(call, { path: query, from: 1, to: MOST_LINES });
    throw await unknownSymbol(call, query);
  }
  const isCut = found.length < total;
  const page = found.slice(call.offset, call.offset + call.args.limit);
  const rows = await Promise.all(
    page.map((symbol, at) => definitionRow(call, symbol, isInside(symbol, found.slice(0, call.offset + at)))),
  );
  const [first] = found;
  const notes =
    total > 1 && first !== undefined
      ? [`${total} definitions match; pick one by its handle, e.g. query="${symbolHandle(first.symbol)}"`]
      : [];
  notes.push(...searchNotes);
  if (isCut) notes.push(`only the first ${found.length} are listed: narrow the query by path or class`);
  return { total: found.length, isCut, rows, notes };
}

/** True if the lines of a symbol are lines of one of the others. */
function isInside({ repository, symbol: { path, line, end } }: SymbolMatch, others: readonly SymbolMatch[]): boolean {
  return others.some(
    (other) =>
      other.repository === repository &&
      other.symbol.path === path &&
      other.symbol.line <= line &&
      other.symbol.end >= end,
  );
}

/** `isShown`: its body is part of one that stands above. */
async function definitionRow(call: ActionCall, { repository, symbol }: SymbolMatch, isShown: boolean): Promise<Row> {
  const make = rowMaker(call, repository);
  const { path, line, end, kind, qualified, doc } = symbol;
  const hasBody = call.args.detail === 'body' && !isShown;
  // A body begins with the signature.
  const head = `${linesOf(line, end)} ${hasBody ? `${kind} ${qualified}` : headOf(symbol)}`;
  const row: Row = {
    group: make.group(path),
    id: `${linesOf(line, end)} ${qualified}`,
    line: `${head}${doc === '' ? '' : `  // ${doc}`}`,
    json: make.json(CODE_ROWS.definition, symbol, { start: line, id: symbolHandle(symbol) }),
  };
  if (!hasBody) return row;
  const whole = await addBody(call, repository, { row, path, from: line, to: end });
  // In some languages the documentation is part of the body.
  return isIn(doc, whole.body) ? { ...whole, line: head } : whole;
}

/** True if a text is in another, however its lines are broken. */
function isIn(text: string, body = ''): boolean {
  return text !== '' && body.replaceAll(/\s+/g, ' ').includes(text);
}

async function readLines(call: ActionCall, { path: requestedPath, from, to }: LineRange): Promise<Findings> {
  const [read, meant] = await Promise.all([
    call.sources.askAll(['sourceOf', { path: requestedPath, from, to }]),
    call.sources.askAll(['fileMeant', { path: requestedPath }]),
  ]);
  const rows = read.flatMap(({ repository, result }): Row[] => {
    if (result === undefined || result.lines.length === 0) return [];
    // The end of a path is enough to name a file.
    const path = meant.find((file) => file.repository === repository)?.result ?? requestedPath;
    const make = rowMaker(call, repository);
    const body = result.lines.join('\n');
    const place = `${result.from}-${result.to} of ${counted(result.total, 'line')}`;
    const json = { ...make.repo, path, start: result.from, end: result.to, lines: result.total, body };
    return [{ group: make.group(path), id: place, line: place, body, json }];
  });
  if (rows.length > 0) {
    const page = rows.slice(call.offset, call.offset + call.args.limit);
    return { total: rows.length, rows: page, detail: 'body' };
  }
  throw noSuchLines(call, requestedPath, read.find(({ result }) => result !== undefined)?.result);
}

/** The error for lines that are not there: the file is not in the index, its text was not read, or it has fewer lines. */
export function noSuchLines(
  { args }: ActionCall,
  path: string,
  file: { from: number; total: number; reason?: string } | undefined,
): ServiceError {
  if (file === undefined) {
    return new ServiceError('unknown_id', `No indexed file has the path ${path}.`, {
      fix: `code-tool outline path=${JSON.stringify(`**/${path.split('/').at(-1) ?? path}`)}${sameIndex(args)}`,
    });
  }
  const { from, total, reason } = file;
  if (reason !== undefined && from <= Math.max(1, total))
    return new ServiceError('bad_argument', `The text of ${path} is not in the index: ${reason}.`, {
      fix: 'Read the file in the checkout.',
    });
  return new ServiceError('bad_argument', `${path} has ${counted(total, 'line')}.`, {
    fix: `code-tool ${args.action} query="${path}:1-${Math.max(1, Math.min(total, 200))}"${sameIndex(args)}`,
  });
}
