/** A sign or bracket and words before, digits with their signs, a unit, words after. */
const AMOUNT =
  /^(\()?[^\d+.,-]*([+-]?)[^\d.,-]*(\d[\d.,'’]*(?:[\s\u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?|[.,]\d+)\s?(?:(k|m|tsd|mio)\b)?[^\d]*$/iu;

/** An amount as people write it: `1,200.50 EUR`, `1.200,50 €`, `$3k`, `(40)`, `12 %`. Undefined when it is none. */
export function numberOf(text: string): number | undefined {
  const match = AMOUNT.exec(text.trim());
  if (match === null) return undefined;
  const [, bracket, sign, digits = '', unit = ''] = match;
  const value = Number(plainDigits(digits)) * factorOf(unit.toLowerCase());
  if (!Number.isFinite(value)) return undefined;
  return bracket !== undefined || sign === '-' ? -value : value;
}

/** The last sign of two kinds is the decimal one; a single one is, unless three digits follow it. */
function plainDigits(text: string): string {
  const digits = text.replace(/[\s\u00a0\u202f'’]/g, '');
  const [dot, comma] = [digits.lastIndexOf('.'), digits.lastIndexOf(',')];
  const decimal = Math.max(dot, comma);
  const sign = digits[decimal];
  if (sign === undefined || decimal === -1) return digits;
  const isRepeated = digits.split(sign).length > 2;
  const isThousands = isRepeated || (Math.min(dot, comma) === -1 && /^\d{1,3}.\d{3}$/.test(digits));
  const whole = digits.slice(0, decimal).replace(/[.,]/g, '');
  const rest = digits.slice(decimal + 1);
  return isThousands ? whole + rest : `${whole}.${rest}`;
}

function factorOf(unit: string): number {
  if (unit === 'k' || unit.startsWith('tsd')) return 1_000;
  return unit === 'm' || unit.startsWith('mio') ? 1_000_000 : 1;
}
