import { expect, test } from 'vitest';
import { placeAt } from '../../testing/prose.ts';
import type { CodePlace } from './code.ts';
import { leadWithMember } from './members.ts';

const form = { ...placeAt('src/form.ts', 'Form', 'class Form {}'), kind: 'class', isNamed: true };
const member = (name: string, body: string, kind = 'method'): CodePlace => ({
  ...placeAt('src/form.ts', `Form/${name}`, body),
  kind,
  isNamed: false,
});
const gather = member('gather', 'gather() { return collect(values); }');
const weights = new Map([
  ['form', 9],
  ['collect', 3],
  ['send', 7],
]);
const firstOf = (places: readonly CodePlace[], intent: 'explain' | 'usage' = 'explain'): string | undefined =>
  leadWithMember(places, { weights, question: { intent } })[0]?.symbol;

test('asked what is done, the member of a named type that does it comes first, the type behind it', () => {
  const other = placeAt('src/mail.ts', 'mail', 'collect');
  const led = leadWithMember([form, other, gather], { weights, question: { intent: 'explain' } });

  expect(led.map(({ symbol }) => symbol)).toEqual(['Form/gather', 'Form', 'mail']);
  expect(led[0]?.isNamed).toBe(true);
});

test('the type stays first where something else is asked, or no type is named', () => {
  expect(firstOf([form, gather], 'usage')).toBe('Form');
  expect(firstOf([{ ...form, isNamed: false }, gather])).toBe('Form');
  expect(firstOf([{ ...form, kind: 'function' }, gather])).toBe('Form');
});

const ledWith = (send: number): string | undefined =>
  leadWithMember([form, gather], {
    weights: new Map([...weights, ['send', send]]),
    question: { intent: 'explain' },
  })[0]?.symbol;

test('a member has three tenths of what is asked of the type, by other words than its name', () => {
  expect([ledWith(6.9), ledWith(7.1)]).toEqual(['Form/gather', 'Form']);
});

test('what makes the type, gives a value of it, or stands elsewhere does none of its work', () => {
  const elsewhere = { ...gather, path: 'src/other.ts' };
  const others = [
    member('constructor', 'collect'),
    member('getValues', 'collect'),
    member('values', 'collect', 'property'),
    elsewhere,
    { ...gather, symbol: 'Formula/gather' },
  ];

  for (const place of others) expect(firstOf([form, place])).toBe('Form');
});

const between = (count: number): CodePlace[] =>
  Array.from({ length: count }, (_, at) => placeAt('src/mail.ts', `m${at}`, ''));

test('the member is among the first twelve', () => {
  expect(firstOf([form, ...between(10), gather])).toBe('Form/gather');
  expect(firstOf([form, ...between(11), gather])).toBe('Form');
});
