import type { CodePlace } from './code.ts';

/** A longer body does more than to hand its arguments on. */
const LONGEST = 3;

/**
 * Places without those that only hand their arguments on to another of them with the same name: a function of a package beside the
 * method. That other one stands where the first of the two stood.
 */
export function withoutForwarders(places: readonly CodePlace[]): CodePlace[] {
  const targets = new Map(
    places.flatMap((place) => {
      const target = targetOf(place, places);
      return target === undefined ? [] : [[place, target] as const];
    }),
  );
  return [...new Set(places.map((place) => targets.get(place) ?? place))];
}

function targetOf(place: CodePlace, places: readonly CodePlace[]): CodePlace | undefined {
  const { body, symbol, kind } = place;
  const name = ownName(symbol);
  if (name === '' || !/^(?:function|method)$/.test(kind) || body.trim() === '') return undefined;
  if (body.trim().split('\n').length > LONGEST || !new RegExp(`\\.${name.replaceAll(/\W/g, '\\$&')}\\(`).test(body))
    return undefined;
  return places.find(
    (other) =>
      other !== place &&
      other.symbol !== symbol &&
      ownName(other.symbol) === name &&
      other.repo === place.repo &&
      other.body.length > body.length,
  );
}

function ownName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('/') + 1);
}
