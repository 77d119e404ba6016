import { CODE_ROWS } from '../outputs/outputs.ts';
import { counted } from '../../kernel/counted.ts';
import { cutPage, mergeLists, pageOf } from '../../kernel/page.ts';
import type { Row } from '../../kernel/answer.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { CodeToolArguments, ActionCall } from './code-tool-input.ts';
import { describeOmitted } from '../../languages/facts/file-content.ts';
import { type Smell, SMELLS } from '../smells/smell-thresholds.ts';
import type { SmellRow } from '../smells/store-smells.ts';
import type { Findings } from '../../platform/operation/paged-tool.ts';
import { emptyNotes, type RowMaker, rowMaker } from './rows.ts';

/** Files of a cycle that the text names; the JSON form has up to 20. */
const MOST_NAMED = 4;

const UNITS: Record<Smell, string> = {
  complexity: 'cognitive complexity',
  long_function: 'lines of code',
  many_parameters: 'parameters',
  deep_nesting: 'levels',
  duplicate: 'tokens',
  cycle: 'files import each other',
  large_file: 'lines of code',
  god_class: 'methods',
};

/** `smells`: what is complex, long, deep, duplicated or in a circle, the worst first. `kind` picks smells. */
export async function smellsAnswer(call: ActionCall): Promise<Findings> {
  const { path, tests } = call.args;
  const search = { smells: parseSmells(call.args), thresholds: call.thresholds, path, tests };
  // Over several repositories the rows are ranked together.
  const page =
    call.sources.repositories.length === 1 ? pageOf(call) : { limit: call.offset + call.args.limit, offset: 0 };
  const answers = await call.sources.askAll(['smells', { ...search, ...page }]);
  const total = answers.reduce((sum, { result }) => sum + result.total, 0);
  const smells = mergeLists(
    answers.map(({ repository, result }) => result.rows.map((row) => ({ make: rowMaker(call, repository), row }))),
    (a, b) => b.row.score - a.row.score,
  );
  const counts = SMELLS.map(
    (smell) => [smell, answers.reduce((sum, { result }) => sum + (result.bySmell[smell] ?? 0), 0)] as const,
  );
  const ofTypes = answers.flatMap(({ result }) => result.ofTypes);
  const omitted = await countOmitted(call);
  const omittedText = describeOmitted(omitted);
  return {
    total,
    isCut: answers.some(({ result }) => result.isCut),
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    rows: cutPage(call, smells).map(({ make, row }) => smellRow(make, row)),
    notes: [
      ...(total === 0 ? await emptyNotes(call) : []),
      ...(omittedText === '' ? [] : [`left out: ${omittedText}`]),
      ...typeCycleNotes(ofTypes),
    ],
    extra: { left_out: omitted, ...(ofTypes.length > 0 && { of_types: ofTypes.length }) },
  };
}

/** The files in the scope that no smell is looked for in. */
async function countOmitted(call: ActionCall): Promise<{ data: number; generated: number }> {
  const { path, tests } = call.args;
  const answers = await call.sources.askAll(['omittedFiles', { path, tests }]);
  const sum = (kind: 'data' | 'generated'): number => answers.reduce((all, { result }) => all + result[kind], 0);
  return { data: sum('data'), generated: sum('generated') };
}

/** Circles of imports that are none at run time. */
function typeCycleNotes(cycles: readonly string[][]): string[] {
  const [first] = cycles;
  if (first === undefined) return [];
  const files = first.slice(0, MOST_NAMED).join(', ') + (first.length > MOST_NAMED ? ', …' : '');
  return [`not counted, closed by types alone: ${counted(cycles.length, 'circle')} of imports, as ${files}`];
}

/** @throws ServiceError `bad_argument` for a word that is no smell. */
function parseSmells({ kind }: CodeToolArguments): Smell[] {
  return (kind ?? []).map((word) => {
    const match = SMELLS.find((smell) => smell === word.toLowerCase());
    if (match !== undefined) return match;
    throw new ServiceError('bad_argument', `"${word}" is not a smell.`, {
      fix: `code-tool smells with kind from: ${SMELLS.join(', ')}`,
    });
  });
}

function smellRow(make: RowMaker, row: SmellRow): Row {
  const { path, line, end, symbol, smell, value, threshold, cyclomatic, other, files } = row;
  const more = [
    ...(cyclomatic === undefined ? [] : [`cyclomatic ${cyclomatic}`]),
    ...(other === undefined ? [] : [`also ${make.group(other.path)}:${other.line}-${other.end}`]),
    ...(files === undefined ? [] : [files.slice(0, MOST_NAMED).join(', ') + (value > MOST_NAMED ? ', …' : '')]),
  ];
  return {
    group: make.group(path),
    id: `${line} ${smell}`,
    line: `${line}-${end} ${smell} ${value} ${UNITS[smell]} (threshold ${threshold})${symbol === '' ? '' : `  ${symbol}`}${more.map((part) => `  ${part}`).join('')}`,
    json: make.json(CODE_ROWS.smell, row, {}),
  };
}
