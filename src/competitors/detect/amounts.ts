/** A sum of money as pages write it: `$1,200`, `€9.99`, `29 USD`. */
const AMOUNT = new RegExp(
  String.raw`(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|CAD|AUD|JPY|INR)) ?\d(?:[\d,.]*\d)?` +
    String.raw`|\b\d(?:[\d,.]*\d)? ?(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF|CAD|AUD|JPY|INR)\b)`,
  'g',
);
const CODES: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };

export interface Amount {
  /** As it is written, without blanks. */
  text: string;
  /** In whole units of the currency. */
  value: number;
  /** ISO 4217; `$` is taken for USD. */
  currency: string;
}

/** The sums of money that a text names, in its order. */
export function amountsOf(text: string): Amount[] {
  return (text.match(AMOUNT) ?? []).map((found) => {
    const written = found.replaceAll(/\s/g, '');
    const sign = written.replaceAll(/[\d.,]/g, '');
    return { text: written, value: numberOf(written), currency: CODES[sign] ?? sign };
  });
}

/** `1,200.50` and `1.200,50` are the same number: the last mark is the decimal one when two digits follow it. */
function numberOf(written: string): number {
  const digits = written.replaceAll(/[^\d.,]/g, '');
  const decimals = /[.,](\d{1,2})$/.exec(digits)?.[1] ?? '';
  const whole = digits.slice(0, decimals === '' ? undefined : -decimals.length - 1).replaceAll(/[.,]/g, '');
  return Number(`${whole}.${decimals === '' ? '0' : decimals}`);
}
