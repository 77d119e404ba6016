import { charactersIn } from '../../kernel/budget.ts';
import type { Unit } from './spec.ts';

/**
 * Cuts an export into pages of at most `tokens`, of which `reserved` characters are taken by what every page has. Everything but tasks
 * stands on the first page, with as many tasks as fit; the others follow in their order. When that does not fit, all
 * units follow each other in their order, and one that is larger than a page is cut at a line. Nothing is left out. Characters
 * are counted by `sizeOf`, without what stands between units.
 */
export function paginate(
  units: readonly Unit[],
  { tokens, reserved, sizeOf }: { tokens: number; reserved: number; sizeOf: (unit: Unit) => number },
): Unit[][] {
  const room = Math.max(400, charactersIn(tokens) - reserved);
  const costOf = (unit: Unit): number => sizeOf(unit) + 2;
  const tasks = units.filter(({ task }) => task !== undefined);
  const fixed = units.reduce((sum, unit) => sum + (unit.task === undefined ? costOf(unit) : 0), 0);
  const [first] = tasks;
  const isRoomy =
    fixed + (first === undefined ? 0 : costOf(first)) <= room && tasks.every((task) => costOf(task) <= room);
  if (!isRoomy)
    return fill(
      units.flatMap((unit) => pieces(unit, room, costOf)),
      room,
      costOf,
    );
  let left = room - fixed;
  let shown = 0;
  while (shown < tasks.length) {
    const task = tasks[shown];
    if (task === undefined || costOf(task) > left) break;
    left -= costOf(task);
    shown += 1;
  }
  const selected = new Set(tasks.slice(0, shown));
  const page = units.filter((unit) => unit.task === undefined || selected.has(unit));
  return [page, ...fill(tasks.slice(shown), room, costOf)];
}

function fill(units: readonly Unit[], room: number, costOf: (unit: Unit) => number): Unit[][] {
  const pages: Unit[][] = [];
  let page: Unit[] = [];
  let left = room;
  for (const unit of units) {
    const cost = costOf(unit);
    if (cost > left && page.length > 0) {
      pages.push(page);
      page = [];
      left = room;
    }
    page.push(unit);
    left -= cost;
  }
  return page.length === 0 ? pages : [...pages, page];
}

function pieces(unit: Unit, room: number, costOf: (unit: Unit) => number): Unit[] {
  const parts: Unit[] = [];
  let rest = unit;
  while (costOf(rest) > room && rest.text.length > 1) {
    let length = Math.min(rest.text.length - 1, room - 2);
    while (length > 1 && costOf({ ...rest, text: rest.text.slice(0, length) }) > room)
      length = Math.floor(length * 0.9);
    const end = rest.text.lastIndexOf('\n', length);
    const cut = end <= 0 ? length : end;
    parts.push({ ...rest, text: rest.text.slice(0, cut) });
    rest = { ...rest, text: rest.text.slice(cut).replace(/^\n/, '') };
  }
  return [...parts, rest];
}
