import type { Db } from '../platform/db.ts';
import type { AuditEntry } from './account-bodies.ts';
import { listAudit } from './audit.ts';

/** How people read actors and people. */
interface ActorNames {
  /** For every actor: `person:<id>`, `key:<id>`, `webhook:<id>`, `system`. */
  nameOf: (actor: string) => string;
  /** Of people, former ones too; undefined for nobody. */
  personName: (personId: string) => string | undefined;
}

/** Looks names of actors up. Keys have theirs in a slice of their own. */
export type NameActors = (accountId: string, actors: readonly string[]) => Promise<ActorNames>;

/** Fields of a detail that say how its target is called, as long as it is there. */
const TARGET_NAMES: readonly string[] = ['name', 'title', 'slug'];

/** Changes in an account as people read them, newest first: the page after the entry with the id `before`. */
export async function auditEntries(
  { db, nameActors }: { db: Db; nameActors: NameActors },
  accountId: string,
  page: { before?: string | undefined; limit: number },
): Promise<AuditEntry[]> {
  const { before, limit } = page;
  const rows = await listAudit(db, accountId, { limit, ...(before === undefined ? {} : { before }) });
  const actors = rows.flatMap(({ actor, target }) => [actor, `person:${target}`]);
  const { nameOf, personName } = await nameActors(accountId, actors);
  return rows.map(({ id, at, actor, action, target, detail }) => {
    const name = TARGET_NAMES.map((field) => detail[field]).find((value) => typeof value === 'string');
    return {
      id,
      at: at.toISOString(),
      actor: nameOf(actor),
      actor_id: actor,
      action,
      target,
      target_name: name ?? personName(target) ?? null,
      detail,
    };
  });
}
