import { uuidv7 } from '../kernel/ids.ts';
import type { Db } from '../platform/db.ts';
import { type AuditFilter, type AuditRow, insertAudit, selectAudit } from './store.ts';

/** Actor of a change: a person, a program with an API key or through a webhook, or the service itself. Stored and shown so. */
export type Actor = `person:${string}` | `key:${string}` | `webhook:${string}` | 'system';

/** Every kind of change that is recorded, as `thing.verb`. */
export type AuditedChange =
  | 'account.create'
  | 'account.key_limits'
  | 'installation.backup'
  | 'product.create'
  | 'product.update'
  | 'product.limits'
  | 'product.give_role'
  | 'product.remove_role'
  | 'group.create'
  | 'group.delete'
  | 'group.add_person'
  | 'group.remove_person'
  | 'api_key.create'
  | 'api_key.regenerate'
  | 'api_key.end_grace'
  | 'api_key.rename'
  | 'api_key.limits'
  | 'api_key.delete'
  | 'api_key.hand_over'
  | 'person.sign_in'
  | 'person.sign_out_everywhere'
  | 'person.update'
  | 'person.lock'
  | 'totp.enable'
  | 'totp.disable'
  | 'identity.link'
  | 'sign_in_link.create'
  | 'invitation.create'
  | 'invitation.delete'
  | 'invitation.accept'
  | 'member.role'
  | 'member.remove'
  | 'repository.add'
  | 'repository.remove'
  | 'repository.scip'
  | 'plan.save'
  | 'plan.status'
  | 'plan.accept'
  | 'plan.delete'
  | 'work_item.edit'
  | 'work_item.send'
  | 'work_item.update_issue'
  | 'tracker.connect'
  | 'tracker.remove'
  | 'organization.follow'
  | 'organization.unfollow'
  | 'repository.pause'
  | 'repository.resume'
  | 'repository.set_webhook'
  | 'repository.remove_webhook'
  | 'tracker.set_webhook'
  | 'tracker.remove_webhook'
  | 'decision.record'
  | 'decision.take'
  | 'decision.remove'
  | 'decision.update'
  | 'document.save'
  | 'document.delete'
  | 'signal.save'
  | 'signal.delete'
  | 'signal.delete_many'
  | 'signal.restore'
  | 'signal.change'
  | 'signal.place'
  | 'customer.name'
  | 'signal_source.connect'
  | 'signal_source.remove'
  | 'theme.rename'
  | 'theme.merge'
  | 'theme.unmerge'
  | 'competitor.add'
  | 'competitor.remove'
  | 'competitor.watch'
  | 'competitor.triage'
  | 'competitor.unwatch'
  | 'competitor.digest'
  | 'feature.edit'
  | 'layers.set'
  | 'webhook.create'
  | 'webhook.delete';

/** One change. `detail` holds what explains it, never a secret. */
interface AuditEntry {
  accountId: string;
  actor: Actor;
  action: AuditedChange;
  /** Id of what was changed. */
  target: string;
  at: Date;
  detail: Record<string, unknown>;
}

/** Writes the entry in the caller's transaction: the change and its record stand or fall together. */
export async function recordAudit(tx: Db, entry: AuditEntry): Promise<void> {
  const { accountId, ...row } = entry;
  await insertAudit(tx, accountId, { id: uuidv7(entry.at), ...row });
}

/** Changes in an account that match, newest first. `before` is the `id` of the last entry of the page before. */
export function listAudit(
  db: Db,
  accountId: string,
  page: AuditFilter & { before?: string | undefined; limit: number },
): Promise<AuditRow[]> {
  return selectAudit(db, accountId, page);
}
