/** Object ids of the PostgreSQL types whose values the two drivers read differently. */
const INT8 = 20;
const INT8_ARRAY = 1016;
const BYTEA = 17;
const DATE = 1082;
const TIMESTAMP = 1114;
const INTERVAL = 1186;
const NUMERIC = 1700;

/** Text of one value to what the program sees, per type. Both engines use these, so that values never depend on the engine. */
export const VALUE_PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  [INT8]: parseBigint,
  [INT8_ARRAY]: parseBigints,
  [BYTEA]: parseBytea,
  [DATE]: asText,
  [TIMESTAMP]: asText,
  [INTERVAL]: asText,
  [NUMERIC]: asText,
};

/** A number while it is exact, a bigint beyond 2^53. */
function parseBigint(text: string): number | bigint {
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : BigInt(text);
}

/** One dimension, as `array_agg` gives: `{1,NULL,3}`. */
function parseBigints(text: string): (number | bigint | null)[] {
  const items = text.slice(1, -1);
  return items === '' ? [] : items.split(',').map((item) => (item === 'NULL' ? null : parseBigint(item)));
}

/** PostgreSQL's hex form (`\x6869`) to bytes. */
function parseBytea(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text.slice(2), 'hex'));
}

function asText(text: string): string {
  return text;
}
