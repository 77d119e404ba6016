import { ServiceError } from '../../kernel/errors.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Root } from '../dependencies/store-dependencies-nodes.ts';
import type { ActionCall } from './code-tool-input.ts';
import { noSuchLines } from './definition.ts';
import { parseLineRange } from './line-range.ts';
import { requireQuery, sameIndex } from './rows.ts';
import { chooseSymbol } from './find-symbols.ts';

/** What a question about dependencies starts from. */
export interface ChosenRoot {
  roots: Map<IndexedRepository, Root>;
  /** Where the far ends must lie; everywhere when absent. */
  path: string | undefined;
  notes: string[];
}

/**
 * Reads the query as lines (`path:10-20`), as a symbol, or as a file, folder or glob; without a query `path` is meant. A
 * word that is both a symbol and a folder is the symbol; with a slash behind it, it is the folder.
 *
 * @throws ServiceError `bad_argument`, `unknown_symbol`, `unknown_id`, `ambiguous_symbol`.
 */
export async function chooseRoot(call: ActionCall): Promise<ChosenRoot> {
  const { query, path } = call.args;
  if ((query ?? '').trim() === '' && path !== undefined) return pathRoot(call, path, undefined);
  const text = requireQuery(call.args, 'sendMail');
  const range = parseLineRange(text);
  if (range !== undefined) return linesRoot(call, range);
  const isPath = !text.startsWith('sym:') && (await filesAt(call, text)).length > 0;
  if (isPath && /[/.*]/.test(text)) return pathRoot(call, text, path);
  try {
    const { symbols, path: within, notes } = await chooseSymbol(call, text);
    const roots = new Map([...symbols].map(([repository, ids]) => [repository, { symbols: ids }] as const));
    const folder = isPath ? [`${text} is also a folder: query="${text}/" asks about the folder`] : [];
    return { roots, path: within, notes: [...notes, ...folder] };
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.code === 'unknown_symbol';
    if (!isUnknown || !isPath) throw error;
    return pathRoot(call, text, path);
  }
}

async function pathRoot(call: ActionCall, path: string, within: string | undefined): Promise<ChosenRoot> {
  const repositories = await filesAt(call, path);
  if (repositories.length > 0) {
    return { roots: new Map(repositories.map((repository) => [repository, { path }])), path: within, notes: [] };
  }
  throw new ServiceError('unknown_id', `No indexed file or folder has the path ${path}.`, {
    fix: `code-tool outline path=${JSON.stringify(`**/${path.replace(/\/+$/, '').split('/').at(-1) ?? path}`)}${sameIndex(call.args)}`,
  });
}

async function linesRoot(call: ActionCall, range: { path: string; from: number; to: number }): Promise<ChosenRoot> {
  const read = await call.sources.askAll(['sourceOf', range]);
  const having = read.filter(({ result }) => result !== undefined && result.lines.length > 0);
  if (having.length === 0) {
    throw noSuchLines(call, range.path, read.find(({ result }) => result !== undefined)?.result);
  }
  const roots = new Map(having.map(({ repository }) => [repository, range]));
  return { roots, path: call.args.path, notes: [] };
}

/** The repositories that have files at a path. */
async function filesAt(call: ActionCall, path: string): Promise<IndexedRepository[]> {
  const counted = await call.sources.askAll(['countFiles', { path }]);
  return counted.filter(({ result }) => result > 0).map(({ repository }) => repository);
}
