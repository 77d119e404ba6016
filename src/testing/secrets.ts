import { randomBytes } from 'node:crypto';
import { secretKeysOf } from '../platform/secrets.ts';

/** Keys with which tests encrypt secrets. */
export const TEST_SECRET_KEYS = secretKeysOf([randomBytes(32).toString('base64')]);
