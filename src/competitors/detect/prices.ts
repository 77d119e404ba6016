import { blocksOfText } from '../page/page-text.ts';
import { likeness } from './compare.ts';
import { readFacts } from './page-facts.ts';
import { matchPlans, nameKey, type Plan, type PlanPrice, plansOf, withoutNumbers } from './plans.ts';

const MOST_SERIES = 60;
const REWORDED = 0.6;

/** Prices of a plan over time, each with the time from which it applied. */
interface PriceSeries {
  /** As the page called it last. */
  plan: string;
  /** Previous names of the plan. */
  formerNames: string[];
  currency: string;
  /** Unit that the price is for, in the latest wording of the page: `a month`, `/ user / month`. */
  unit: string;
  /** Oldest first; a price that did not change is there once. */
  points: { at: Date; value: number; text: string }[];
}

/** A plan over time. */
interface PlanHistory {
  /** Latest state of the plan. */
  plan: Plan;
  names: string[];
  series: PriceSeries[];
}

/**
 * Prices over time, out of what a page said when, oldest first. Those that are there now come first. A plan that is called
 * something else after a redesign stays one plan: see `matchPlans`.
 */
export function priceSeries(captures: readonly { text: string; at: Date }[]): PriceSeries[] {
  let histories: PlanHistory[] = [];
  let present = new Set<PriceSeries>();
  for (const { text, at } of captures) {
    const plans = plansOf(readFacts(blocksOfText(text)));
    const matches = matchPlans(
      histories.map(({ plan }) => plan),
      plans,
    );
    const current = plans.map((plan): PlanHistory => {
      const former = histories.find((history) => history.plan === matches.get(plan));
      const names = [...(former?.names ?? []), plan.name];
      return { plan, names, series: continueSeries({ plan, names, series: former?.series ?? [] }, at) };
    });
    const continued = new Set(matches.values());
    histories = [...current, ...histories.filter(({ plan }) => !continued.has(plan))];
    present = new Set(current.flatMap(({ plan, series }) => series.filter((one) => hasPrice(plan, one))));
  }
  const all = histories.flatMap(({ series }) => series);
  return [...all.filter((one) => present.has(one)), ...all.filter((one) => !present.has(one))].slice(0, MOST_SERIES);
}

/** The series of a plan with the prices that it has now: by what they are for, else the first one of the currency. */
function continueSeries({ plan, names, series }: PlanHistory, at: Date): PriceSeries[] {
  const taken = new Set<PriceSeries>();
  const next = plan.prices.map((price) => {
    const free = series.filter((one) => !taken.has(one) && one.currency === price.currency);
    const match = free.find((one) => unitKey(one) === unitKey(price)) ?? free[0];
    if (match !== undefined) taken.add(match);
    return withPrice(match, { price, plan, names }, at);
  });
  return [...next, ...series.filter((one) => !taken.has(one))];
}

function withPrice(
  earlier: PriceSeries | undefined,
  { price, plan, names }: { price: PlanPrice; plan: Plan; names: readonly string[] },
  at: Date,
): PriceSeries {
  const { value, text, currency, unit } = price;
  const points = earlier?.points ?? [];
  const former = new Map(names.map((name) => [nameKey(name), name]));
  former.delete(nameKey(plan.name));
  const isSame = points.at(-1)?.value === value;
  return {
    plan: plan.name,
    formerNames: [...former.values()],
    currency,
    unit,
    points: isSame ? points : [...points, { at, value, text }],
  };
}

function hasPrice({ prices }: Plan, { currency, points }: PriceSeries): boolean {
  return prices.some((price) => price.currency === currency && price.value === points.at(-1)?.value);
}

function unitKey({ unit }: Pick<PlanPrice, 'unit'>): string {
  return nameKey(withoutNumbers(unit));
}

/** Something that a competitor names since a change, or no more. */
interface Feature {
  text: string;
  state: 'new' | 'gone';
  at: Date;
  url: string;
  changeId: string;
}

/**
 * Returns the texts that changes added and removed, each text once in its last state, newest first. `changes` come newest
 * first.
 */
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
