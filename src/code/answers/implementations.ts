import { bodyOfRow } from '../../platform/row-body.ts';
import { CODE_ROWS } from '../outputs/outputs.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import type { SymbolRow } from '../../code-index/format/rows.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { HeritageRelation, ImplementationRow } from '../heritage/heritage.ts';
import type { ActionCall } from './code-tool-input.ts';
import { emptyNotes, GRADE_MARKS, headOf, requireQuery, type RowMaker, rowMaker, symbolHandle } from './rows.ts';
import { answerEach } from './each-definition.ts';
import { type Choice, chooseSymbols } from './find-symbols.ts';

/** Most super types that a note names. */
const MOST_ABOVE = 5;

/**
 * `implementations`: who implements, extends or overrides a symbol, at any depth. What it is made from itself is told in a
 * note, apart from the totals.
 */
export async function implementationsAnswer(call: ActionCall): Promise<Findings> {
  const query = requireQuery(call.args, 'Mailer');
  return answerEach(call, await chooseSymbols(call, query), implementationsOf);
}

async function implementationsOf(call: ActionCall, { symbols, path, notes }: Choice): Promise<Findings> {
  const scoped = { ...call, args: { ...call.args, path } };
  const answers = await Promise.all(
    [...symbols].map(async ([repository, ids]) => {
      const search = { symbols: ids, path, tests: call.args.tests, ...pageOf(call) };
      return {
        make: rowMaker(call, repository),
        result: await call.sources.ask(repository, ['implementations', search]),
      };
    }),
  );
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const counts: Record<string, number> = {};
  for (const relation of ['implements', 'extends', 'overrides'] satisfies HeritageRelation[])
    counts[relation] = answers.reduce((sum, { result }) => sum + (result.byRelation[relation] ?? 0), 0);
  const isMixed = Object.values(counts).filter((count) => count > 0).length > 1;
  const rows = answers.flatMap(({ make, result }) => result.rows.map((row) => implementationRow(make, row, isMixed)));
  const above = answers.flatMap(({ result }) => result.above);
  return {
    total,
    counts,
    rows: cutPage(call, rows),
    notes: [...notes, ...(total === 0 ? await emptyNotes(scoped) : []), ...aboveNotes(above)],
    extra: above.length === 0 ? {} : { above: above.map(aboveJson) },
  };
}

/** `isMixed`: not all rows have the relation that the header counts. */
function implementationRow(make: RowMaker, row: ImplementationRow, isMixed: boolean): Row {
  const { path, line, qualified, relation, grade, depth, unnamed, declared } = row;
  const facts = [
    ...(isMixed ? [relation] : []),
    ...(depth > 1 ? [`depth ${depth}`] : []),
    ...(unnamed ? [`in ${qualified}`] : []),
  ].join(', ');
  return {
    group: make.group(path),
    id: `${line} ${qualified}`,
    line: `${line} ${headOf(row)} ${GRADE_MARKS[grade]}  ${facts}`.trimEnd(),
    json: make.json(CODE_ROWS.implementation, row, { id: declared && symbolHandle(declared) }),
  };
}

function aboveJson(row: SymbolRow): Record<string, unknown> {
  return bodyOfRow(CODE_ROWS.above, row, { id: symbolHandle(row) });
}

/** Notes on what the symbol itself extends, implements or overrides. */
function aboveNotes(above: readonly SymbolRow[]): string[] {
  if (above.length === 0) return [];
  const shown = above
    .slice(0, MOST_ABOVE)
    .map(({ kind, qualified, path, line }) => `${kind} ${qualified} ${path}:${line}`);
  const more = above.length > MOST_ABOVE ? ` and ${above.length - MOST_ABOVE} more` : '';
  return [`extends or implements: ${shown.join(', ')}${more}`];
}
