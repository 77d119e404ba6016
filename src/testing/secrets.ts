import { randomBytes } from 'node:crypto';
import { secretKeysOf } from '../platform/secrets.ts';

/** What tests keep secrets encrypted with. */
export const TEST_SECRET_KEYS = secretKeysOf([randomBytes(32).toString('base64')]);
