import { counted } from '../../kernel/counted.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { type RefRange, readRefRange } from '../../kernel/ref-range.ts';
import { isUnifiedDiff } from '../../kernel/unified-diff.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { Root } from '../dependencies/store-dependencies-nodes.ts';
import type { Changes } from '../history/history.ts';
import type { ActionCall, CodeToolArguments } from './code-tool-input.ts';
import { noSuchLines, parseLineRange } from './definition.ts';
import { linesOfDiff } from './diff-lines.ts';
import { requireQuery, sameIndex } from './rows.ts';
import type { Meaning } from './each-definition.ts';
import { chooseSymbols } from './find-symbols.ts';

/** Start of a question about dependencies. */
export interface ChosenRoot extends Meaning {
  roots: Map<IndexedRepository, Root>;
  /** Path in which the far ends must be; everywhere when absent. */
  path: string | undefined;
  notes: string[];
}

/**
 * Reads the query as a difference of commits (`a..b`) or the text of one, as lines (`path:10-20`), as a symbol, or as a file, folder or glob;
 * without a query `path` is meant. A word that is both a symbol and a folder is the symbol; with a slash behind it, it is the
 * folder. A name of up to three symbols gives a root for each.
 *
 * @throws ServiceError `bad_argument`, `unknown_symbol`, `unknown_id`, `ambiguous_symbol`.
 */
export async function chooseRoots(call: ActionCall): Promise<ChosenRoot[]> {
  const { query, path } = call.args;
  if ((query ?? '').trim() === '' && path !== undefined) return [await pathRoot(call, path, undefined)];
  if (OF_DIFFERENCES.has(call.args.action) && isUnifiedDiff(query ?? '')) return [await diffRoot(call, query ?? '')];
  const range = readDifference(call.args);
  if (range !== undefined) return [await differenceRoot(call, range)];
  const text = requireQuery(call.args, 'sendMail');
  const lines = parseLineRange(text);
  if (lines !== undefined) return [await linesRoot(call, lines)];
  const isPath = !text.startsWith('sym:') && (await filesAt(call, text)).length > 0;
  if (isPath && /[/.*]/.test(text)) return [await pathRoot(call, text, path)];
  try {
    const folder = isPath ? [`${text} is also a folder: query="${text}/" asks about the folder`] : [];
    return (await chooseSymbols(call, text)).map(({ symbols, notes, ...choice }) => ({
      ...choice,
      roots: new Map([...symbols].map(([repository, ids]) => [repository, { symbols: ids }] as const)),
      notes: [...notes, ...folder],
    }));
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.code === 'unknown_symbol';
    if (!isUnknown || !isPath) throw error;
    return [await pathRoot(call, text, path)];
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
  const counts = await call.sources.askAll(['countFiles', { path }]);
  return counts.filter(({ result }) => result > 0).map(({ repository }) => repository);
}

/** Actions that a difference can be asked about. */
const OF_DIFFERENCES: ReadonlySet<string> = new Set(['impact', 'tests']);
/** Files of a difference that are followed. */
const MOST_CHANGED = 1_000;

/** The difference of commits that a query is, for the actions that take one; undefined for any other. */
export function readDifference({
  action,
  query = '',
}: Pick<CodeToolArguments, 'action' | 'query'>): RefRange | undefined {
  const range = OF_DIFFERENCES.has(action) ? readRefRange(query) : undefined;
  // What begins or ends with a slash is a path.
  return range === undefined || range.from.endsWith('/') || range.to.startsWith('/') ? undefined : range;
}

async function differenceRoot(call: ActionCall, range: RefRange): Promise<ChosenRoot> {
  const repository = onlyRepository(call, JSON.stringify(call.args.query));
  const { files, removed } = (await call.history?.changesIn(repository, range)) ?? { files: [], removed: [] };
  return changeRoot(call, repository, { files, removed, notes: [] });
}

/** The start of a question about the text of a difference, such as what `git diff` prints. */
async function diffRoot(call: ActionCall, text: string): Promise<ChosenRoot> {
  const repository = onlyRepository(call, '"diff --git …"');
  return changeRoot(call, repository, await linesOfDiff(call, repository, text));
}

/** @throws ServiceError `bad_argument` where a call is about several. */
function onlyRepository(call: ActionCall, query: string): IndexedRepository {
  const [repository, second] = call.sources.repositories;
  if (repository !== undefined && second === undefined) return repository;
  throw new ServiceError('bad_argument', 'A difference is that of one repository.', {
    fix: `code-tool ${call.args.action} query=${query} repo="${repository?.provenance.repo ?? ''}"`,
  });
}

function changeRoot(
  call: ActionCall,
  repository: IndexedRepository,
  { files, removed, notes: own }: Changes & { notes: readonly string[] },
): ChosenRoot {
  const notes = [
    ...own,
    ...(files.length + removed.length === 0 ? ['no file differs'] : []),
    ...(files.length > MOST_CHANGED
      ? [`only the first ${MOST_CHANGED} of ${files.length} changed files are followed`]
      : []),
    ...(removed.length === 0
      ? []
      : [
          `${counted(removed.length, 'removed file')} not followed: commit-tool compare tells what their removal breaks`,
        ]),
  ];
  const roots = new Map([[repository, { changed: files.slice(0, MOST_CHANGED) }]]);
  return { roots, path: call.args.path, notes };
}
