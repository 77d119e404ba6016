import { z } from 'zod';
import { ServiceError } from '../kernel/errors.ts';

const Email = z.email().max(254);

/** The one spelling of an e-mail address that is stored and looked for. */
export function emailKey(text: string): string {
  return text.trim().normalize('NFC').toLowerCase();
}

/** @throws ServiceError `bad_argument` for text that is no e-mail address. */
export function requireEmail(text: string): string {
  const email = emailKey(text);
  if (Email.safeParse(email).success) return email;
  throw new ServiceError('bad_argument', `"${text.slice(0, 100)}" is not an e-mail address.`, {
    fix: 'Use an address such as name@example.com.',
  });
}
