import { ServiceError } from '../kernel/errors.ts';
import type { Db } from '../platform/db.ts';
import { isSealedWithFirst, type SecretKeys } from '../platform/secrets.ts';
import { replaceTotpSecret, selectTotpSecrets } from './store-people.ts';
import { keptTotpSecret, openTotpSecret } from './totp.ts';

/**
 * Encrypts the secrets of authenticators that stand as they are, or are encrypted with another key, with the first key.
 * What no key opens stays. Safe at any time, in several processes.
 */
export async function resealTotpSecrets(db: Db, keys: SecretKeys): Promise<void> {
  for (const { id, secret, pending } of await selectTotpSecrets(db)) {
    for (const before of [secret, pending]) {
      if (before === null || isSealedWithFirst(keys, before)) continue;
      try {
        await replaceTotpSecret(db, id, { before, kept: keptTotpSecret(keys, id, openTotpSecret(keys, id, before)) });
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
      }
    }
  }
}
