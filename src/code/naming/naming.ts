import type { Caller } from '../../platform/operation/operation.ts';

/** A file, or a symbol (`Class/method`) of it. */
export interface NamedPlace {
  path: string;
  symbol?: string | undefined;
}

/** A plan or a decision that names some of the places, or a theme of customers that is about them. */
export interface NamingWork {
  /** `plan:slug`, `dec:12` or `theme:label`. */
  id: string;
  title: string;
  status: string;
  /** Staleness: `stale 3/7 since a1b2c3d`; absent when it names nothing that is indexed. */
  stale?: string | undefined;
}

/** Looks up which plans and decisions of the caller's product name one of the places. Slices of the code do not know them. */
export type FindNamingWork = (caller: Caller, places: readonly NamedPlace[]) => Promise<NamingWork[]>;

/** Places that are looked up: each costs a query of the database. */
const MOST_PLACES = 40;
/** Plans and decisions that the text names; the JSON form has all. */
const MOST_NAMED = 5;

/** Distinct places, at most 40. */
export function somePlaces(places: readonly NamedPlace[]): NamedPlace[] {
  const distinct = new Map(places.map((place) => [`${place.symbol ?? ''}@${place.path}`, place]));
  return [...distinct.values()].slice(0, MOST_PLACES);
}

/** Plans and decisions, then themes, each as text: `plan:faster-search (stale 3/7 since a1b2c3d), dec:12 (fresh)`. */
export function namingTexts(work: readonly NamingWork[]): { kind: string; count: number; text: string }[] {
  const isTheme = ({ id }: NamingWork): boolean => id.startsWith('theme:');
  const kinds = [
    ['plans and decisions', work.filter((own) => !isTheme(own))],
    ['themes', work.filter(isTheme)],
  ] as const;
  return kinds.flatMap(([kind, own]) => {
    if (own.length === 0) return [];
    const named = own.slice(0, MOST_NAMED).map(({ id, status, stale }) => `${id} (${stale ?? status})`);
    const more = own.length > MOST_NAMED ? `, and ${own.length - MOST_NAMED} more` : '';
    return [{ kind, count: own.length, text: `${named.join(', ')}${more}` }];
  });
}
