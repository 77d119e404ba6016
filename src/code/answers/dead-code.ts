import { sumCounts } from '../../kernel/counted.ts';
import { CODE_ROWS } from '../outputs/outputs.ts';
import { cutPage, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { tellsPrivateOnly } from '../dead-code/private-symbols.ts';
import type { DeadCodePage, DeadCodeRow } from '../dead-code/store-dead-code.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import type { ActionCall } from './code-tool-input.ts';
import { emptyNotes, type RowMaker, rowMaker, symbolHandle, symbolKinds } from './rows.ts';

/**
 * `dead_code`: symbols that nothing uses, the certain ones first. `kind` picks kinds of symbols; the last lines tell which
 * roots were honoured.
 */
export async function deadCodeAnswer(call: ActionCall): Promise<Findings> {
  const { path, tests } = call.args;
  const search = { kinds: symbolKinds(call.args), path, tests, ...pageOf(call) };
  const answers = await call.sources.askAll(['deadCode', search]);
  const sum = (count: (page: DeadCodePage) => number): number =>
    answers.reduce((total, { result }) => total + count(result), 0);
  const total = sum((page) => page.total);
  const rows = answers.flatMap(({ repository, result }) => {
    const make = rowMaker(call, repository);
    return result.rows.map((row) => deadCodeRow(make, row));
  });
  const roots = sumCounts(answers.map(({ result }) => result.roots));
  const unjudged = sumCounts(answers.map(({ result }) => result.unjudged));
  return {
    total,
    isCut: answers.some(({ result }) => result.isCut),
    counts: {
      certain: sum((page) => page.byCertainty.certain),
      likely: sum((page) => page.byCertainty.likely),
      test_only: sum((page) => page.byCertainty.test_only),
    },
    rows: cutPage(call, rows),
    notes: [
      ...(total === 0 ? await emptyNotes(call) : []),
      `roots honoured: ${listCounts(roots) || 'none, only code that runs when a file is loaded'}`,
      ...unjudgedNotes(unjudged),
    ],
    extra: { roots, ...(Object.keys(unjudged).length > 0 && { unjudged }) },
  };
}

/** Notes on languages that are judged in part, and on those that are not. */
function unjudgedNotes(unjudged: Record<string, number>): string[] {
  const [inPart, whole] = [true, false].map((isPartial) =>
    listCounts(
      Object.fromEntries(Object.entries(unjudged).filter(([language]) => tellsPrivateOnly(language) === isPartial)),
    ),
  );
  return [
    ...(inPart === ''
      ? []
      : [`only private functions and types are checked, and none is listed as certain: ${inPart}`]),
    ...(whole === '' ? [] : [`not judged, because too few of their references are resolved: ${whole}`]),
  ];
}

function deadCodeRow(make: RowMaker, row: DeadCodeRow): Row {
  const { path, line, kind, qualified, certainty, reason } = row;
  return {
    group: make.group(path),
    id: `${line} ${qualified}`,
    line: `${line} ${kind} ${qualified}  ${certainty}: ${reason}`,
    json: make.json(CODE_ROWS.dead, row, { is_test: row.test, id: symbolHandle(row) }),
  };
}

function listCounts(counts: Record<string, number>): string {
  return Object.entries(counts)
    .map(([what, count]) => `${count} ${what}`)
    .join(', ');
}
