import { type Amount, amountsOf } from './amounts.ts';
import { likeness } from './compare.ts';

/** Longer lines are prose, in which an amount is no price of a plan. */
const PRICE_LINE_CHARACTERS = 160;
const MOST_SERIES = 60;
const REWORDED = 0.6;

/** A price with what it is for: the heading above it, the first cell of its row, or the head of its column. */
interface PlanPrice extends Amount {
  plan: string;
}

/** What a plan cost, and from when on. */
interface PriceSeries {
  plan: string;
  currency: string;
  /** Oldest first; a price that did not change is there once. */
  points: { at: Date; value: number; text: string }[];
}

/** Prices in the text of a capture (one block a line, `#` before headings). A plan with several prices has a number each. */
export function planPrices(text: string): PlanPrice[] {
  const prices: PlanPrice[] = [];
  const times = new Map<string, number>();
  let heading = '';
  let columns: string[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('#')) {
      heading = line.replace(/^#+ /, '');
      columns = [];
    }
    const cells = line.split(' | ').map((cell) => cell.trim());
    if (cells.length > 1 && amountsOf(line).length === 0) columns = cells;
    if (cells.length === 1 && line.length > PRICE_LINE_CHARACTERS) continue;
    for (const [at, cell] of cells.entries())
      for (const amount of amountsOf(cell)) {
        const plan = nameOf({ heading, cells, columns, at });
        const count = (times.get(plan) ?? 0) + 1;
        times.set(plan, count);
        prices.push({ ...amount, plan: count === 1 ? plan : `${plan} (${count})` });
      }
  }
  return prices;
}

function nameOf({
  heading,
  cells,
  columns,
  at,
}: {
  heading: string;
  cells: string[];
  columns: string[];
  at: number;
}): string {
  if (cells.length === 1) return heading;
  const column = columns.length === cells.length ? (columns[at] ?? '') : '';
  if (at > 0 && column !== '' && cells.length > 2) return column;
  return at > 0 && amountsOf(cells[0] ?? '').length === 0 ? (cells[0] ?? heading) : heading;
}

/** Prices over time, out of what a page said when, oldest first. Those that are there now come first. */
export function priceSeries(captures: readonly { text: string; at: Date }[]): PriceSeries[] {
  const series = new Map<string, PriceSeries>();
  for (const { text, at } of captures)
    for (const { plan, currency, value, text: written } of planPrices(text)) {
      const key = `${plan} ${currency}`;
      const prices = series.get(key) ?? { plan, currency, points: [] };
      series.set(key, prices);
      if (prices.points.at(-1)?.value !== value) prices.points.push({ at, value, text: written });
    }
  const now = new Set(planPrices(captures.at(-1)?.text ?? '').map(({ plan, currency }) => `${plan} ${currency}`));
  const [here, gone] = [true, false].map((isHere) => [...series].filter(([key]) => now.has(key) === isHere));
  return [...(here ?? []), ...(gone ?? [])].slice(0, MOST_SERIES).map(([, prices]) => prices);
}

/** Something that a competitor names since a change, or no more. */
interface Feature {
  text: string;
  state: 'new' | 'gone';
  at: Date;
  url: string;
  changeId: string;
}

/** What changes brought and took away, each text once in its last state, newest first. `changes` come newest first. */
export function newAndGone(
  changes: readonly { id: string; at: Date; url: string; added: readonly string[]; removed: readonly string[] }[],
): Feature[] {
  const features = new Map<string, Feature>();
  const take = (texts: readonly string[], state: Feature['state'], change: (typeof changes)[number]): void => {
    for (const text of texts)
      if (!features.has(text)) features.set(text, { text, state, at: change.at, url: change.url, changeId: change.id });
  };
  for (const change of changes) {
    take(findUnmatched(change.added, change.removed), 'new', change);
    take(findUnmatched(change.removed, change.added), 'gone', change);
  }
  return [...features.values()];
}

/** Texts that none of the others is another wording of. */
function findUnmatched(texts: readonly string[], others: readonly string[]): string[] {
  return texts.filter((text) => !others.some((other) => likeness(text, other) >= REWORDED));
}
