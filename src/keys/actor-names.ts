import { selectNames } from '../accounts/accounts.ts';
import { isUuid } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import type { Keys } from './keys.ts';

const PERSON = 'person:';
const KEY = 'key:';
const WEBHOOK = 'webhook:';

/** Dependencies of looking up the names of people and keys. */
export interface NameParts {
  db: Db;
  keys: Pick<Keys, 'listKeys'>;
}

/** The names of these actors. Two queries, whatever their number. */
export async function nameActors({ db, keys }: NameParts, accountId: string, actors: readonly string[]) {
  const ids = actors.filter((actor) => actor.startsWith(PERSON)).map((actor) => actor.slice(PERSON.length));
  const people = await selectNames(db, [...new Set(ids)].filter(isUuid));
  const made = actors.some((actor) => actor.startsWith(KEY)) ? await keys.listKeys(accountId) : [];
  const keyNames = new Map(made.map(({ id, name }) => [id, name]));
  const nameOf = (actor: string): string => {
    if (actor === 'system') return 'the service';
    if (actor.startsWith(WEBHOOK)) return 'a webhook';
    if (!actor.startsWith(KEY)) return people.get(actor.slice(PERSON.length)) ?? 'a former member';
    const name = keyNames.get(actor.slice(KEY.length));
    return name === undefined ? 'a deleted API key' : `API key ${name}`;
  };
  return { nameOf, personName: (personId: string) => people.get(personId) };
}

/** The names of who called, by the `keyId` of their calls: that of a key or of a person. */
export async function nameCallers(
  parts: NameParts,
  accountId: string,
  keyIds: readonly string[],
): Promise<(keyId: string) => string> {
  const actors = keyIds.flatMap((id) => [`${PERSON}${id}`, `${KEY}${id}`]);
  const { nameOf, personName } = await nameActors(parts, accountId, actors);
  return (keyId) => personName(keyId) ?? nameOf(`${KEY}${keyId}`);
}
