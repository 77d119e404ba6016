import type { Db } from '../platform/db.ts';
import { type AuditChoices, AuditEntry } from './account-bodies.ts';
import { bodyOfRow } from '../platform/row-body.ts';
import { listAudit } from './audit.ts';
import { type AuditFilter, selectAuditKinds } from './store.ts';

/** Names of actors and people for readers. */
interface ActorNames {
  /** For every actor: `person:<id>`, `key:<id>`, `webhook:<id>`, `system`. */
  nameOf: (actor: string) => string;
  /** Name of a person, a former one too; undefined for an id that no person has. */
  personName: (personId: string) => string | undefined;
}

/** Looks names of actors up. Keys have theirs in a slice of their own. */
export type NameActors = (accountId: string, actors: readonly string[]) => Promise<ActorNames>;

/** Fields of a detail that say how its target is called, as long as it is there. */
const TARGET_NAMES: readonly string[] = ['name', 'title', 'slug'];

interface AuditParts {
  db: Db;
  nameActors: NameActors;
}

/** Changes in an account that match, as people read them, newest first: the page after the entry with the id `before`. */
export async function auditEntries(
  { db, nameActors }: AuditParts,
  accountId: string,
  page: AuditFilter & { before?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const rows = await listAudit(db, accountId, page);
  const actors = rows.flatMap(({ actor, target }) => [actor, `person:${target}`]);
  const { nameOf, personName } = await nameActors(accountId, actors);
  return rows.map((row) => {
    const name = TARGET_NAMES.map((field) => row.detail[field]).find((value) => typeof value === 'string');
    return bodyOfRow(AuditEntry, row, {
      actor: nameOf(row.actor),
      actor_id: row.actor,
      target_name: name ?? personName(row.target) ?? null,
    });
  });
}

/** Returns the choices for filtering the log of an account: actors of one name, such as deleted keys, are one choice. */
export async function auditChoices({ db, nameActors }: AuditParts, accountId: string): Promise<AuditChoices> {
  const { actors, actions } = await selectAuditKinds(db, accountId);
  const { nameOf } = await nameActors(accountId, actors);
  const named = [...Map.groupBy(actors, nameOf)].map(([name, ids]) => ({ name, ids }));
  return { actors: named.toSorted((a, b) => a.name.localeCompare(b.name)), actions: actions.toSorted() };
}
