/** What stands in exports where nobody is named, in lower case. */
const PLACEHOLDERS = new Set(
  (
    'anonymous|anonymous user|anon|unknown|unknown user|unnamed|guest|guest user|user|customer|reviewer|member|nobody|' +
    'none|null|undefined|nan|n/a|na|not available|no name|test|deleted user|former user|private|hidden|' +
    'a google user|google user|a facebook user|amazon customer|kindle customer|a customer|a user|a player'
  ).split('|'),
);
/** Digits and signs alone, as `****` and `-`, name nobody. */
const NAMED = /\p{L}/u;
/** A name that at least so many signals carry, and so many times as many as any other, is what a tool puts where it knows none. */
const LEAST_SIGNALS = 20;
const TIMES_THE_NEXT = 10;
/** With fewer customers beside it the largest may be just that. */
const LEAST_OTHERS = 10;

/** Whether this is the name of somebody. */
export function isCustomerName(name: string): boolean {
  return NAMED.test(name) && !PLACEHOLDERS.has(name.trim().toLowerCase());
}

/** Customers with how many of the signals are theirs, the most first; what only stands where nobody is named is left out. */
export function countCustomers(signals: readonly { customer: string }[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { customer } of signals)
    if (isCustomerName(customer)) counts.set(customer, (counts.get(customer) ?? 0) + 1);
  const ranked = [...counts].toSorted((a, b) => b[1] - a[1]);
  const [first, next] = ranked;
  const isPlaceholder =
    first !== undefined &&
    next !== undefined &&
    ranked.length > LEAST_OTHERS &&
    first[1] >= LEAST_SIGNALS &&
    first[1] >= TIMES_THE_NEXT * next[1];
  return isPlaceholder ? ranked.slice(1) : ranked;
}
