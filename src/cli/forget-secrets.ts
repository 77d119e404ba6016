import { clearTotpWithoutKey } from '../accounts/accounts.ts';
import { DIGEST_SECRETS } from '../competitors/competitors.ts';
import type { Config } from '../platform/config.ts';
import { forgetUsedKey, readKeys } from '../platform/installation-key.ts';
import { migrate } from '../platform/migrate.ts';
import { deleteWithoutKey } from '../platform/sealed-column.ts';
import { SOURCE_TOKENS } from '../signals/sources/sources.ts';
import { ORGANIZATION_TOKENS } from '../repositories/organizations/organizations.ts';
import { REPOSITORY_WEBHOOK_SECRETS } from '../repositories/webhooks/webhooks.ts';
import { WEBHOOK_SECRETS } from '../signals/webhooks/webhooks.ts';
import { TRACKER_TOKENS } from '../trackers/trackers.ts';
import type { CommandContext } from './command.ts';

/** The answer of `svc forget-secrets`. */
interface ForgottenJson {
  /** People whose authenticator is no longer required. */
  authenticators: number;
  webhooks: number;
  /** Tools that signals are read from. */
  sources: number;
  /** Organizations that are followed with a token. */
  organizations: number;
  trackers: number;
  /** Digests of changes at competitors. */
  digests: number;
}

/**
 * Recovers from a lost key: deletes the secrets that none of the present keys opens, all or nothing, and lets the next start
 * use the key that it finds.
 *
 * @throws ServiceError `conflict` when a service has the data open, or `secret.key` holds no key.
 */
export async function forgetSecrets(
  context: Pick<CommandContext, 'openDatabase'>,
  config: Config,
): Promise<ForgottenJson> {
  const keys = readKeys(config);
  const database = await context.openDatabase(config);
  try {
    await migrate(database.db);
    return await database.db.transaction().execute(async (tx) => {
      await forgetUsedKey(tx);
      return {
        authenticators: await clearTotpWithoutKey(tx, keys),
        webhooks:
          (await deleteWithoutKey(tx, keys, WEBHOOK_SECRETS)) +
          (await deleteWithoutKey(tx, keys, REPOSITORY_WEBHOOK_SECRETS)),
        sources: await deleteWithoutKey(tx, keys, SOURCE_TOKENS),
        organizations: await deleteWithoutKey(tx, keys, ORGANIZATION_TOKENS),
        trackers: await deleteWithoutKey(tx, keys, TRACKER_TOKENS),
        digests: await deleteWithoutKey(tx, keys, DIGEST_SECRETS),
      };
    });
  } finally {
    await database.close();
  }
}

/** Describes for people what was deleted. */
export function describeForgotten(forgotten: ForgottenJson): string {
  const { authenticators, webhooks, sources, organizations, trackers, digests } = forgotten;
  if (Object.values<number>({ ...forgotten }).every((count) => count === 0))
    return 'The available keys decrypt all secrets, so none was forgotten.';
  return [
    `Forgot ${authenticators} authenticators, ${webhooks} webhooks, ${sources} sources of signals, ${organizations} followed organizations, ${trackers} issue trackers and ${digests} digests of competitors.`,
    'People sign in with only their password until they set up an authenticator again. All others have to be set up again.',
  ].join('\n');
}
