import type { Table, TableCell } from 'mdast';
import { mentionsIn } from '../../anchors/mentions/mentions.ts';
import { addLabel, addMentions, isLabel } from './item-details.ts';
import { newItem } from './item-lead.ts';
import { oneLine, type PlanSection } from './markdown.ts';
import { type ItemDraft, statusOf } from './work-item-text.ts';

const ID_COLUMN = /^(?:#|id|no\.?|number|key|step|(?:task|step|item) ?(?:id|#|no\.?|number))$/i;
/** The column that says what is done: the first of these that a table has. */
const TITLE_COLUMNS = [
  /^(?:tasks?|work items?)$/i,
  /^(?:(?:task |item )?(?:name|title))$/i,
  /^(?:action|activity|deliverable|item|what|step|summary|description)$/i,
];
const ID = /^(?:\*\*|`)?(?:(?:task[\s-]?|T-?)\d{1,4}|\d{1,3}(?:\.\d{1,3})*\.?)(?:\*\*|`)?$/i;
/** An id that is one wherever it stands; a number alone may count anything. */
const SURE_ID = /^(?:\*\*|`)?(?:(?:task[\s-]?|T-?)\d{1,4}|\d{1,3}(?:\.\d{1,3})+)(?:\*\*|`)?$/i;

/**
 * The tasks of a table: one that has a column for what is done, and beside it ids or what is said of tasks (files, status,
 * what each waits for). The other cells are the body of the task, under the names of their columns.
 *
 * @param isMarked when only rows with an id that tasks have count.
 */
export function readTable(
  table: Table,
  { headings }: Pick<PlanSection, 'headings'>,
  { body, isMarked }: { body: string; isMarked: boolean },
): ItemDraft[] {
  const [head, ...rows] = table.children;
  const names = (head?.children ?? []).map((cell) => textOf(cell, body));
  const cells = rows.map(({ children }) => names.map((_name, at) => textOf(children[at], body)));
  const { id, title } = columnsOf(names, cells);
  if (title < 0) return [];
  const isOfTasks = id >= 0 || names.some((name, at) => at !== title && isLabel(`${name}: x`));
  if (!isOfTasks) return [];
  return rows.flatMap((row, index) => {
    const values = cells[index] ?? [];
    const number = id < 0 ? '' : plain(values[id] ?? '');
    if ((isMarked && !SURE_ID.test(number)) || values[title] === '') return [];
    const item: ItemDraft = {
      ...newItem(`${number}${/^\d+$/.test(number) ? '.' : ''} ${values[title] ?? ''}`.trim()),
      headings,
      isRow: true,
      spans: [{ start: row.position?.start.offset ?? 0, end: row.position?.end.offset ?? 0 }],
    };
    const lines = names.flatMap((name, at) =>
      at === id || at === title || (values[at] ?? '') === '' ? [] : [`- ${name}: ${values[at]}`],
    );
    for (const line of lines) addCell(item, line.slice(2));
    addMentions(item, mentionsIn(row));
    return [{ ...item, body: lines.join('\n') }];
  });
}

function addCell(item: ItemDraft, line: string): void {
  const [, state] = /^(?:status|state|done|progress)\s*:\s*(.*)$/i.exec(line) ?? [];
  if (state === undefined) addLabel(item, line);
  else
    item.status =
      statusOf(state.replace(/^\[(.)\]$/, '$1').replace(/^\W*(?=\w)/u, '')) ?? statusOf(state) ?? item.status;
}

function columnsOf(names: readonly string[], cells: readonly string[][]): { id: number; title: number } {
  const hasIds = (at: number): boolean => cells.length > 0 && cells.every((row) => ID.test(row[at] ?? ''));
  const named = names.findIndex((name) => ID_COLUMN.test(name));
  const id = named >= 0 && hasIds(named) ? named : names.findIndex((name, at) => /^task$/i.test(name) && hasIds(at));
  for (const column of TITLE_COLUMNS) {
    const title = names.findIndex((name, at) => at !== id && column.test(name));
    if (title >= 0) return { id, title };
  }
  return { id, title: -1 };
}

function textOf(cell: TableCell | undefined, body: string): string {
  const [first, last] = [cell?.children[0], cell?.children.at(-1)];
  if (first === undefined || last === undefined) return '';
  return oneLine(body.slice(first.position?.start.offset ?? 0, last.position?.end.offset ?? 0));
}

function plain(id: string): string {
  return id.replaceAll(/[*`]/g, '').replace(/\.$/, '');
}
