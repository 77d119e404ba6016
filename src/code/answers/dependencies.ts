import { sumCounts } from '../../kernel/counted.ts';
import { CODE_ROWS } from '../outputs/outputs.ts';
import type { IndexedRepository } from '../../indexes/indexes.ts';
import type { EndRow, Root } from '../dependencies/store-dependencies-nodes.ts';
import type { ActionCall, CodeToolArguments } from './code-tool-input.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { RELATIONS } from '../../code-index/format/relations.ts';
import type { Relation } from '../../code-index/format/rows.ts';
import type { DependencyRow } from '../dependencies/dependencies.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { answerEach } from './each-definition.ts';
import { chooseRoots, type ChosenRoot } from './root.ts';
import { GRADE_MARKS, type RowMaker, rowMaker, symbolHandle } from './rows.ts';

/** Says how many uses only the name of a symbol suggests: they are not followed, and may still be real. */
export async function possibleNotes(call: ActionCall, roots: ReadonlyMap<IndexedRepository, Root>): Promise<string[]> {
  const counts = await Promise.all(
    [...roots].map(async ([repository, root]) => {
      if (!('symbols' in root)) return 0;
      const search = { symbols: root.symbols, limit: 0, offset: 0 };
      return (await call.sources.ask(repository, ['usages', search])).named.total;
    }),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return [];
  return [`${total} possible uses by name alone (?) were not followed; code-tool usages lists them`];
}

/**
 * `dependencies`: what a symbol, file or folder depends on (`out`), what depends on it (`in`), or both, by hop. `kind`
 * picks relations.
 */
export async function dependenciesAnswer(call: ActionCall): Promise<Findings> {
  const relations = parseRelations(call.args);
  return answerEach(call, await chooseRoots(call), (one, root) => dependenciesOf(one, relations, root));
}

async function dependenciesOf(
  call: ActionCall,
  relations: Relation[] | undefined,
  { roots, path, notes }: ChosenRoot,
): Promise<Findings> {
  const { direction, depth, tests } = call.args;
  const search = { direction, depth, relations, path, tests, ...pageOf(call) };
  const answers = await Promise.all(
    [...roots].map(async ([repository, root]) => {
      const make = rowMaker(call, repository);
      return { make, result: await call.sources.ask(repository, ['dependencies', { root, ...search }]) };
    }),
  );
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const followed = answers.reduce((sum, { result }) => sum + result.followed, 0);
  const rows = answers.flatMap(({ make, result }) => result.rows.map((row) => dependencyRow(make, row, depth)));
  const isCut = answers.some(({ result }) => result.isCut);
  return {
    total,
    isCut,
    counts: sumCounts(
      answers.map(({ result }) => result.byRelation),
      RELATIONS,
    ),
    rows: cutPage(call, rows),
    notes: [
      ...notes,
      ...(total === 0 ? [noDependencies(call.args, followed)] : []),
      ...(isCut ? [CUT] : []),
      ...(direction === 'out' ? [] : await possibleNotes(call, roots)),
    ],
    extra: { followed },
  };
}

const CUT = 'stopped after 20,000 dependencies: the farthest are missing; use a smaller depth';

function noDependencies({ direction }: CodeToolArguments, followed: number): string {
  if (followed > 0) return `${followed} dependencies, but none in the files selected by path and tests`;
  if (direction === 'out') return 'it depends on nothing else here; direction=in shows what depends on it';
  if (direction === 'in') return 'nothing else here depends on it; direction=out shows what it depends on';
  return 'nothing else here depends on it, and it depends on nothing else';
}

/** @throws ServiceError `bad_argument` for a word that is no relation. */
function parseRelations({ kind }: CodeToolArguments): Relation[] | undefined {
  if (kind === undefined || kind.length === 0) return undefined;
  return kind.map((word) => {
    const match = RELATIONS.find((relation) => relation === word.toLowerCase());
    if (match !== undefined) return match;
    throw new ServiceError('bad_argument', `"${word}" is not a relation.`, {
      fix: `code-tool dependencies with kind from: ${RELATIONS.join(', ')}`,
    });
  });
}

function dependencyRow(make: RowMaker, row: DependencyRow, depth: number): Row {
  const { from, to, relation, hop, grade, isOfTypes } = row;
  const target = to.path === from.path ? `${to.symbol} line ${to.line}` : `${to.symbol} ${to.path}:${to.line}`;
  const reached = to.kind === 'file' ? to.path : target;
  const source = from.kind === 'file' ? '' : `${from.line} ${from.symbol} `;
  return {
    group: make.group(from.path),
    id: `${source}> ${reached}`,
    line: `${source}${relation} ${reached}${isOfTypes ? ' (types only)' : ''} ${GRADE_MARKS[grade]}${depth === 1 ? '' : `  hop ${hop}`}`,
    json: make.json(CODE_ROWS.dependency, row, {
      from: handleOf(from),
      to: handleOf(to),
      line: from.line,
      to_line: to.line,
      types_only: isOfTypes || undefined,
    }),
  };
}

/** Identifier that other calls accept: the path of a file, the handle of a symbol. */
export function handleOf({ kind, path, symbol }: EndRow): string {
  return kind === 'file' ? path : symbolHandle({ qualified: symbol, path });
}
