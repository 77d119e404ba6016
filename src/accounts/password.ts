import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { ServiceError } from '../kernel/errors.ts';

/**
 * Fewest characters. NIST SP 800-63B requires 15 characters without and 8 with a second factor; no rule about kinds of
 * characters.
 */
export const SHORTEST_PASSWORD = 12;
const LONGEST = 1024;

/** Parameters that OWASP recommends for argon2id: 19 MiB, two passes, one lane. About 40 ms. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/;

/** Hash for people without a password, so that they take as long as others. No password has this hash. */
const NOBODY = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(Buffer.alloc(SALT_BYTES))}$${base64(Buffer.alloc(HASH_BYTES))}`;

const derive = promisify(argon2);

/**
 * The argon2id hash of a password in PHC string format, with a salt of its own.
 *
 * @throws ServiceError `bad_argument` for fewer than 12 or more than 1,024 characters.
 */
export async function hashPassword(password: string): Promise<string> {
  const length = Array.from(password).length;
  if (length < SHORTEST_PASSWORD || length > LONGEST) {
    const problem = length < SHORTEST_PASSWORD ? `fewer than ${SHORTEST_PASSWORD}` : `more than ${LONGEST}`;
    throw new ServiceError('bad_argument', `The password has ${problem} characters.`, {
      fix: `Choose a password of ${SHORTEST_PASSWORD} to ${LONGEST} characters; several words work well.`,
    });
  }
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive('argon2id', { message: text(password), nonce: salt, tagLength: HASH_BYTES, ...COST });
  const { memory, passes, parallelism } = COST;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

/** True if `password` is the one behind `hash`. Without a hash the answer is no, and takes as long. */
export async function passwordMatches(password: string, hash: string | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt = '', tag = ''] = FORM.exec(hash ?? NOBODY) ?? [];
  const expected = Buffer.from(tag, 'base64');
  const actual = await derive('argon2id', {
    message: text(password),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: expected.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  });
  return timingSafeEqual(expected, actual) && hash !== undefined;
}

/** One spelling of the same characters, whatever keyboard they were typed on. */
function text(password: string): string {
  return password.normalize('NFC');
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
