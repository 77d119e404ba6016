import { expect, test } from 'vitest';
import { placeAt } from '../../testing/prose.ts';
import type { CodePlace } from './code.ts';
import { isNamedForSure } from './named.ts';

const isSure = (name: string, main: Partial<CodePlace> = {}, intent: 'explain' | 'compare' | 'usage' = 'explain') =>
  isNamedForSure(
    { places: [placeAt('a.ts', 'send', 'send()', { isNamed: true, ...main })], knownNames: [name] },
    { intent },
  );

test('a place is named for sure by a name that is no plain word', () => {
  expect([isSure('sendMail'), isSure('send_mail'), isSure('Mailer.send'), isSure('src/send.ts')]).toEqual(
    Array(4).fill(true),
  );
  expect(isSure('send')).toBe(false);
  expect(isSure('sendMail', { isNamed: false })).toBe(false);
  expect(isNamedForSure({ places: [], knownNames: ['sendMail'] }, { intent: 'explain' })).toBe(false);
});

test('the name of a type is enough only where the type is asked about, not what it does', () => {
  const type = { kind: 'class' };

  expect([isSure('MailQueue', type), isSure('MailQueue', { kind: 'module' })]).toEqual([false, false]);
  expect([isSure('MailQueue', type, 'compare'), isSure('MailQueue', type, 'usage')]).toEqual([true, true]);
});
