import { type ProductRequest, recordAudit } from '../accounts/accounts.ts';
import { ServiceError } from '../kernel/errors.ts';
import { isUuid, uuidv7 } from '../kernel/ids.ts';
import { HOUR_MS } from '../kernel/time.ts';
import { putThings, removeThings } from '../knowledge/knowledge.ts';
import type { Db } from '../platform/db.ts';
import type { Signals } from './context.ts';
import type { Intent } from './polarity.ts';
import { thingOf } from './save-signals.ts';
import type { PlacedBy, SignalRow } from './store.ts';
import { dropDeletions, moveToDeletion, restoreDeletion, updateSignals } from './store-changes.ts';
import { themeNamed } from './themes.ts';

/** Time in which a deletion can be undone. After it the signals are gone. */
const UNDO_MS = HOUR_MS;

/** A change of a signal; fields that are absent stay. */
export interface GivenChange {
  /** Id or handle. */
  id: string;
  /** Id of a theme, or null for none. */
  theme?: string | null | undefined;
  /** In place of `theme`: the name of one, which is made when there is none. */
  label?: string | undefined;
  /** Default: `person`, where the signal then stays. */
  placed_by?: PlacedBy | undefined;
  intent?: Intent | undefined;
  /** Default: `person`, whatever its words say. */
  intent_by?: SignalRow['intentBy'] | undefined;
}

/** The former state of a signal, as the change that brings it back. */
interface ChangedSignal {
  id: string;
  theme: string | null;
  placed_by: PlacedBy;
  intent: Intent;
  intent_by: SignalRow['intentBy'];
}

/**
 * Changes the theme or the intent of many signals at once, all of them or none. Answers how each was, in the form of the
 * changes that take it back; signals that are not there any more are left out.
 *
 * @throws ServiceError `unknown_id` for a theme that the product does not have.
 */
export async function changeSignals(
  signals: Signals,
  tenant: ProductRequest,
  changes: readonly GivenChange[],
): Promise<ChangedSignal[]> {
  return signals.db.transaction().execute(async (tx) => {
    const themes = await themesOf(signals, tx, tenant, changes);
    const before = await updateSignals(
      tx,
      tenant,
      changes.flatMap((change) => {
        const { id, theme, label, intent } = change;
        const signalId = id.replace(/^sig:/, '');
        if (!isUuid(signalId)) return [];
        const themeId = theme === null ? null : themes.get(nameOf(theme, label));
        return {
          id: signalId,
          ...(themeId !== undefined && { place: { themeId, placedBy: change.placed_by ?? 'person' } }),
          ...(intent !== undefined && { intent: { is: intent, by: change.intent_by ?? 'person' } }),
        };
      }),
    );
    if (before.length > 0) {
      const intents = [...new Set(changes.flatMap(({ intent }) => intent ?? []))];
      const detail = {
        signals: before.length,
        ...(themes.size > 0 && { themes: [...themes.values()] }),
        ...(intents.length > 0 && { intents }),
      };
      const { accountId, actor, productId } = tenant;
      await recordAudit(tx, {
        accountId,
        actor,
        action: 'signal.change',
        target: productId,
        at: signals.now(),
        detail,
      });
    }
    return before.map(({ id, themeId, placedBy, intent, intentBy }) => {
      return { id: `sig:${id}`, theme: themeId, placed_by: placedBy, intent, intent_by: intentBy };
    });
  });
}

function nameOf(theme: string | undefined, label: string | undefined): string {
  return JSON.stringify([theme, label]);
}

/** The themes that changes name, each looked up or made once. */
async function themesOf(
  signals: Signals,
  tx: Db,
  tenant: ProductRequest,
  changes: readonly GivenChange[],
): Promise<Map<string, string>> {
  const themes = new Map<string, string>();
  for (const { theme, label } of changes) {
    const name = nameOf(theme ?? undefined, label);
    if ((theme == null && label === undefined) || themes.has(name)) continue;
    themes.set(name, await themeNamed(signals, tx, tenant, { theme: theme ?? undefined, label }));
  }
  return themes;
}

/**
 * Deletes many signals at once: nothing finds or counts them any more. `restoreSignals` takes it back within an hour.
 * Answers how many there were, and under which id that is; none when there were none.
 */
export async function removeSignals(
  signals: Signals,
  tenant: ProductRequest,
  references: readonly string[],
): Promise<{ deletion: string | undefined; deleted: number }> {
  const deletedAt = signals.now();
  const deletion = uuidv7(deletedAt);
  const ids = references.map((reference) => reference.replace(/^sig:/, '')).filter(isUuid);
  const deleted = await signals.db.transaction().execute(async (tx) => {
    const gone = await moveToDeletion(tx, tenant, { ids, deletion, deletedAt });
    await removeThings(
      tx,
      tenant,
      gone.map((id) => ({ corpus: 'signals', id: `sig:${id}` })),
    );
    if (gone.length > 0) await recordDeletion(tx, tenant, { action: 'signal.delete_many', at: deletedAt, gone });
    return gone.length;
  });
  return { deletion: deleted === 0 ? undefined : deletion, deleted };
}

/**
 * Takes a deletion of many back: the signals have the ids, themes and intents that they had. Answers how many there are
 * again.
 *
 * @throws ServiceError `unknown_id` when there is no such deletion, or its hour is over.
 */
export async function restoreSignals(signals: Signals, tenant: ProductRequest, deletion: string): Promise<number> {
  return signals.db.transaction().execute(async (tx) => {
    const rows = isUuid(deletion) ? await restoreDeletion(tx, tenant, deletion) : undefined;
    if (rows === undefined) {
      throw new ServiceError('unknown_id', 'There is no such deletion.', {
        fix: 'Deletions can be undone once, within an hour.',
      });
    }
    await putThings(tx, tenant, rows.map(thingOf));
    const gone = rows.map(({ id }) => id);
    await recordDeletion(tx, tenant, { action: 'signal.restore', at: signals.now(), gone });
    return rows.length;
  });
}

function recordDeletion(
  tx: Db,
  { accountId, productId, actor }: ProductRequest,
  change: { action: 'signal.delete_many' | 'signal.restore'; at: Date; gone: readonly string[] },
): Promise<void> {
  const { action, at, gone } = change;
  return recordAudit(tx, { accountId, actor, action, target: productId, at, detail: { signals: gone.length } });
}

/** Forgets deletions that cannot be undone any more. */
export function forgetDeletions({ db, now }: Pick<Signals, 'db' | 'now'>): Promise<void> {
  return dropDeletions(db, new Date(now().getTime() - UNDO_MS));
}
