import { clearTotpWithoutKey } from '../accounts/store-people.ts';
import type { Config } from '../platform/config.ts';
import { forgetUsedKey, keysAtHand } from '../platform/installation-key.ts';
import { migrate } from '../platform/migrate.ts';
import { deleteWebhooksWithoutKey } from '../signals/store-webhooks.ts';
import { deleteTrackersWithoutKey } from '../trackers/store.ts';
import type { CommandScope } from './command.ts';

/** The answer of `svc forget-secrets`. */
export interface ForgottenJson {
  /** People whose authenticator is no longer asked for. */
  authenticators: number;
  webhooks: number;
  trackers: number;
}

/**
 * The way out when a key is lost: forgets what none of the keys at hand opens, all or nothing, and lets the next start
 * use the key that it finds.
 *
 * @throws ServiceError `conflict` when a service has the data open, or `secret.key` holds no key.
 */
export async function forgetSecrets(scope: Pick<CommandScope, 'openDatabase'>, config: Config): Promise<ForgottenJson> {
  const keys = keysAtHand(config);
  const database = await scope.openDatabase(config);
  try {
    await migrate(database.db);
    return await database.db.transaction().execute(async (tx) => {
      await forgetUsedKey(tx);
      return {
        authenticators: await clearTotpWithoutKey(tx, keys),
        webhooks: await deleteWebhooksWithoutKey(tx, keys),
        trackers: await deleteTrackersWithoutKey(tx, keys),
      };
    });
  } finally {
    await database.close();
  }
}

/** What was forgotten, for people. */
export function describeForgotten({ authenticators, webhooks, trackers }: ForgottenJson): string {
  if (authenticators + webhooks + trackers === 0)
    return 'The available keys decrypt all secrets, so none was forgotten.';
  return [
    `Forgot ${authenticators} authenticators, ${webhooks} webhooks and ${trackers} issue trackers.`,
    'People sign in with only their password until they set up an authenticator again. Webhooks and trackers have to be connected again.',
  ].join('\n');
}
