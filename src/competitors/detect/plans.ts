import { pageWords } from '../page/page-text.ts';
import { amountsOf } from './amounts.ts';
import { likeness } from './compare.ts';
import type { Fact } from './page-facts.ts';

/** Plan that a page offers for a price. */
export interface Plan {
  name: string;
  /** Prices in the order of the page; a repeated price once. */
  prices: PlanPrice[];
  /** Remaining text of the page about the plan, without numbers. */
  words: string;
}

export interface PlanPrice {
  value: number;
  currency: string;
  /** As the page writes the amount. */
  text: string;
  /** Unit that the price is for: `a month`, `/ user / month`, the head of its column. */
  unit: string;
}

/** Similarity from which two plans are one plan under two names. */
const SAME_PLAN = 0.7;
const NAME_WEIGHT = 0.5;
const WORDS_WEIGHT = 0.75;
const PRICES_WEIGHT = 0.5;
const UNIT_CHARACTERS = 40;

/** Returns the plans of a page in their order; statements about one in cards, lists and tables belong to one plan. */
export function plansOf(facts: readonly Fact[]): Plan[] {
  const priced = new Set(facts.filter(({ role }) => role === 'price').map(({ subject }) => nameKey(subject)));
  const own = facts.filter(({ subject, role }) => role !== 'heading' && priced.has(nameKey(subject)));
  return [...Map.groupBy(own, ({ subject }) => nameKey(subject)).values()].map((all) => {
    const prices = all.filter(({ role }) => role === 'price').flatMap(pricesOf);
    const distinct = prices.filter(
      ({ value, currency }, at) =>
        prices.findIndex((other) => other.value === value && other.currency === currency) === at,
    );
    const words = all.filter(({ role }) => role === 'line').map(({ text }) => withoutNumbers(text));
    return { name: all[0]?.subject ?? '', prices: distinct, words: words.join(' ') };
  });
}

/** Returns the prices that a fact states. */
function pricesOf({ text, label }: Fact): PlanPrice[] {
  const amounts = amountsOf(text);
  return amounts.map(({ value, currency, text: written, end }, at) => {
    const after = text.slice(end, amounts[at + 1]?.start).replaceAll(/^[\s,;()–—-]+|[\s,;()–—-]+$/g, '');
    const unit = [label, after.slice(0, UNIT_CHARACTERS)].filter((part) => part !== '').join(' ');
    return { value, currency, text: written, unit };
  });
}

/** The plans of a later state of a page by those of an earlier one: by name, else by what they cost and offer. */
export function matchPlans(before: readonly Plan[], after: readonly Plan[]): Map<Plan, Plan> {
  const matches = new Map<Plan, Plan>();
  for (const plan of after) {
    const former = before.find(({ name }) => nameKey(name) === nameKey(plan.name));
    if (former !== undefined) matches.set(plan, former);
  }
  const taken = new Set(matches.values());
  const pairs = after.flatMap((plan, rank) =>
    matches.has(plan)
      ? []
      : before.flatMap((former, at) =>
          taken.has(former)
            ? []
            : [{ plan, former, score: likenessOfPlans(former, plan), distance: Math.abs(rank - at) }],
        ),
  );
  for (const { plan, former, score } of pairs.toSorted((a, b) => b.score - a.score || a.distance - b.distance)) {
    if (score < SAME_PLAN || matches.has(plan) || taken.has(former)) continue;
    matches.set(plan, former);
    taken.add(former);
  }
  return matches;
}

function likenessOfPlans(left: Plan, right: Plan): number {
  const prices = (plan: Plan): string =>
    plan.prices
      .map(({ value, currency }) => `${value} ${currency}`)
      .toSorted()
      .join();
  const words = left.words === '' || right.words === '' ? 0 : likeness(left.words, right.words);
  return (
    NAME_WEIGHT * likeness(left.name, right.name) +
    WORDS_WEIGHT * words +
    PRICES_WEIGHT * Number(prices(left) === prices(right))
  );
}

/** A name as it is compared. */
export function nameKey(name: string): string {
  return pageWords(name).join(' ');
}

export function withoutNumbers(text: string): string {
  return text.toLowerCase().replaceAll(/\d[\d.,:'’]*/g, '#');
}
