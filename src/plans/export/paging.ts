import { charactersIn } from '../../kernel/budget.ts';
import type { Unit } from './spec.ts';

/**
 * Cuts an export into pages of at most `tokens`, of which `reserved` characters are taken by what every page has. Everything but tasks
 * stands on the first page, with as many tasks as fit; the others follow in their order. When that does not fit, all
 * units follow each other in their order, and one that is larger than a page is cut at a line. Nothing is left out.
 */
export function paginate(units: readonly Unit[], { tokens, reserved }: { tokens: number; reserved: number }): Unit[][] {
  const room = Math.max(400, charactersIn(tokens) - reserved);
  const tasks = units.filter(({ task }) => task !== undefined);
  const fixed = sizeOf(units.filter(({ task }) => task === undefined));
  const [first] = tasks;
  const isRoomy =
    fixed + (first === undefined ? 0 : sizeOf([first])) <= room && tasks.every((task) => sizeOf([task]) <= room);
  if (!isRoomy)
    return fill(
      units.flatMap((unit) => pieces(unit, room)),
      room,
    );
  let left = room - fixed;
  let shown = 0;
  while (shown < tasks.length) {
    const task = tasks[shown];
    if (task === undefined || sizeOf([task]) > left) break;
    left -= sizeOf([task]);
    shown += 1;
  }
  const kept = new Set(tasks.slice(0, shown));
  const page = units.filter((unit) => unit.task === undefined || kept.has(unit));
  return [page, ...fill(tasks.slice(shown), room)];
}

/** Each unit costs its text, the file's name once in a while, and what stands between units. */
function sizeOf(units: readonly Unit[]): number {
  return units.reduce((sum, { text }) => sum + text.length + 2, 0);
}

function fill(units: readonly Unit[], room: number): Unit[][] {
  const pages: Unit[][] = [];
  let page: Unit[] = [];
  let left = room;
  for (const unit of units) {
    const size = sizeOf([unit]);
    if (size > left && page.length > 0) {
      pages.push(page);
      page = [];
      left = room;
    }
    page.push(unit);
    left -= size;
  }
  return page.length === 0 ? pages : [...pages, page];
}

function pieces(unit: Unit, room: number): Unit[] {
  const parts: Unit[] = [];
  let rest = unit.text;
  while (rest.length + 2 > room) {
    const end = rest.lastIndexOf('\n', room - 2);
    const cut = end <= 0 ? room - 2 : end;
    parts.push({ ...unit, text: rest.slice(0, cut) });
    rest = rest.slice(cut).replace(/^\n/, '');
  }
  return [...parts, { ...unit, text: rest }];
}
