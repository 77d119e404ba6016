import { once } from '../../kernel/once.ts';

/** Currencies that prices on the web are in. `PHP`, `TRY` and `TOP` are words there: those have their signs alone. */
const CURRENCIES = (
  'USD EUR GBP JPY CHF CAD AUD NZD CNY HKD SGD INR SEK NOK DKK ISK PLN CZK HUF RON BGN BRL MXN ARS CLP COP KRW TWD THB IDR ' +
  'MYR VND ILS AED SAR ZAR UAH KZT NGN KES'
).split(' ');
/** The currency that a sign means when several have it. */
const COMMON = ['USD', 'GBP', 'JPY'];
/** Signs that are written by other sites than those of the currency's own language. */
const OTHER_SIGNS = [
  ['US$', 'USD'],
  ['AU$', 'AUD'],
  ['C$', 'CAD'],
  ['S$', 'SGD'],
] as const;
const PLAIN = String.raw`\d{1,3}(?:[,.'’]\d{3})+(?:[.,]\d{1,2})?(?!\d)|\d+(?:[.,]\d+)?`;
/** Thousands may stand apart, which after a sign are more often the next number. */
const SPACED = String.raw`[1-9]\d{0,2}(?: \d{3})+(?:[.,]\d{1,2})?(?!\d)`;
/** A number as pages write it: `1,200.50`, `1.200,50`, `1 200`, `1'200`. */
export const NUMBER = String.raw`(?:${SPACED}|${PLAIN})`;
/** Signs of currencies, and an amount of money as pages write it: `$1,200`, `€9.99`, `29 USD`, `1 200,50 zł`. */
const notation = once(() => {
  const signs = signsOfCurrencies();
  const written = [...signs.keys(), ...CURRENCIES].filter((sign) => /^\p{L}{2,}\.?$/u.test(sign)).join('|');
  const mixed = [...signs.keys()]
    .filter((sign) => /^\p{L}+\p{Sc}$/u.test(sign))
    .map((sign) => sign.replace('$', String.raw`\$`));
  // `$`, `R$`, `€`, `zł`, `EUR`
  const currency = String.raw`(?:(?<!\p{L})(?:${mixed.join('|')})|\p{Sc}|(?<![\p{L}\p{N}])(?:${written})(?!\p{L}))`;
  const amount = new RegExp(
    String.raw`${currency} ?(?:${PLAIN})|(?<![\p{L}\p{N}.,])${NUMBER} ?(?:\p{Sc}|(?:${written})(?![\p{L}\p{N}]))`,
    'gu',
  );
  return { signs, amount };
});

interface Amount {
  /** As it is written, without blanks. */
  text: string;
  /** In whole units of the currency. */
  value: number;
  /** ISO 4217; the sign where several currencies have it. `$` is taken for USD. */
  currency: string;
}

/** An amount with where it is written. */
interface WrittenAmount extends Amount {
  start: number;
  end: number;
}

/** The amounts of money that a text names, in its order. */
export function amountsOf(text: string): WrittenAmount[] {
  const { signs, amount } = notation();
  return [...text.matchAll(amount)].map(({ 0: match, index: start }) => {
    const written = match.replaceAll(/\s/g, '');
    const sign = written.replaceAll(/[\d.,'’]/g, '');
    const currency = signs.get(sign) ?? signs.get(/\p{Sc}$/u.exec(sign)?.[0] ?? '') ?? sign;
    return { text: written, value: numberOf(match), currency, start, end: start + match.length };
  });
}

/**
 * The number that a text writes: of `1,200.50` and `1.200,50` the last mark is the decimal one. A single mark with three digits
 * after it groups thousands, unless nothing but a zero is before it.
 */
function numberOf(text: string): number {
  const written = /\d[\d.,'’ ]*/.exec(text)?.[0].replaceAll(/['’ ]/g, '') ?? '';
  const parts = written.split(/[.,]/).filter((part) => part !== '');
  const last = parts.at(-1) ?? '';
  const isGrouped = parts.length > 1 && last.length === 3 && parts[0] !== '0';
  const [whole, decimals] = parts.length > 1 && !isGrouped ? [parts.slice(0, -1), last] : [parts, '0'];
  return Number(`${whole.join('')}.${decimals}`);
}

/** Signs of currencies as English and their own languages write them. */
function signsOfCurrencies(): Map<string, string> {
  const signs = new Map<string, string>(OTHER_SIGNS);
  for (const display of ['symbol', 'narrowSymbol'] as const)
    for (const currency of [...COMMON, ...CURRENCIES]) {
      const parts = new Intl.NumberFormat('en', {
        style: 'currency',
        currency,
        currencyDisplay: display,
      }).formatToParts(1);
      const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency;
      const firstCurrency = signs.get(sign);
      const isShared = firstCurrency !== undefined && firstCurrency !== currency && !COMMON.includes(firstCurrency);
      if (firstCurrency === undefined || isShared) signs.set(sign, isShared ? sign : currency);
    }
  return signs;
}
