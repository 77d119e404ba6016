import type { CodePlace } from '../../code/places/places.ts';

/** The place that stands inside the most of the names around a symbol; undefined when none is inside all of them. */
export function bestInText<Place extends Pick<CodePlace, 'symbol'>>(
  places: readonly Place[],
  symbol: string,
): Place | undefined {
  const around = symbol.split('/').slice(0, -1);
  return places.find((location) => {
    const scope = (location.symbol ?? '').split('/').slice(0, -1);
    return around.every((name) => scope.includes(name));
  });
}
