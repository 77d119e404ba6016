import { selectNames } from '../accounts/store-people.ts';
import { isUuid } from '../kernel/ids.ts';
import type { AppApiParts } from './app-env.ts';

const PERSON = 'person:';
const KEY = 'key:';
const WEBHOOK = 'webhook:';

/** Names by actor, as `person:<id>` and `key:<id>`: of people, former ones too, and of keys that still exist. */
export async function actorNames(
  { db, keys }: Pick<AppApiParts, 'db' | 'keys'>,
  accountId: string,
  actors: readonly string[],
): Promise<Map<string, string>> {
  const ids = actors.filter((actor) => actor.startsWith(PERSON)).map((actor) => actor.slice(PERSON.length));
  const people = await selectNames(db, [...new Set(ids)].filter(isUuid));
  const made = actors.some((actor) => actor.startsWith(KEY)) ? await keys.listKeys(accountId) : [];
  return new Map([
    ...Array.from(people, ([id, name]) => [`${PERSON}${id}`, name] as const),
    ...made.map(({ id, name }) => [`${KEY}${id}`, name] as const),
  ]);
}

/** An actor as people read it. */
export function actorName(names: ReadonlyMap<string, string>, actor: string): string {
  if (actor === 'system') return 'the service';
  if (actor.startsWith(WEBHOOK)) return 'a webhook';
  const known = names.get(actor);
  if (actor.startsWith(KEY)) return known === undefined ? 'a deleted API key' : `API key ${known}`;
  return known ?? 'a former member';
}
