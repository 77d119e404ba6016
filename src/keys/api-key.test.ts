import { expect, test } from 'vitest';
import type { Role } from '../platform/rights.ts';
import { asApiKey, expiryFrom, graceEnd, keyStatus, newScopes, scopesNow } from './api-key.ts';

const now = new Date('2026-11-21T10:00:00.000Z');

test.each([
  [undefined, 'active'],
  ['2026-12-05T10:00:00.001Z', 'active'],
  ['2026-12-05T10:00:00.000Z', 'expiring'],
  ['2026-11-21T10:00:00.001Z', 'expiring'],
  ['2026-11-21T10:00:00.000Z', 'expired'],
  ['2020-01-01T00:00:00.000Z', 'expired'],
])('a key that ends at %s is %s', (expiresAt, status) => {
  expect(keyStatus(expiresAt === undefined ? undefined : new Date(expiresAt), now)).toBe(status);
});

test.each([
  ['30d', '2026-12-21T10:00:00.000Z'],
  ['12h', '2026-11-21T22:00:00.000Z'],
  ['2026-11-22', '2026-11-22T00:00:00.000Z'],
  ['2030-01-31T08:30:00+02:00', '2030-01-31T06:30:00.000Z'],
])('the expiry %s is %s', (text, iso) => {
  expect(expiryFrom(text, now)?.toISOString()).toBe(iso);
});

test.each([
  ['', 'is neither a span nor an ISO date'],
  ['never', 'is neither a span nor an ISO date'],
  ['2026-02-30', 'is neither a span nor an ISO date'],
  ['2026-11-21', 'is not in the future'],
  ['2026-11-21T10:00:00Z', 'is not in the future'],
  ['9999999w', 'is after the year 9999'],
])('the expiry %j %s', (text, fault) => {
  expect(() => expiryFrom(text, now)).toThrow(`The expiry "${text}" ${fault}.`);
});

test('without an expiry a key never ends', () => {
  expect(expiryFrom(undefined, now)).toBeUndefined();
});

test('scopes are kept once each, in one order; managing keys has to be asked for', () => {
  expect(newScopes('owner', ['decisions:write', 'read', 'decisions:write'])).toEqual(['read', 'decisions:write']);
  expect(newScopes('installation', undefined)).toEqual(['read', 'decisions:write', 'plans:write', 'scrape']);
  expect(newScopes('admin', ['keys:write'])).toEqual(['keys:write']);
});

test('a key without a scope, or with an unknown one, is refused with the list of scopes', () => {
  const fix =
    'Choose from read, decisions:write, plans:write, scrape, keys:write, or leave scopes out for read, decisions:write, plans:write, scrape.';

  expect(() => newScopes('owner', [])).toThrow(expect.objectContaining({ code: 'bad_argument', fix }));
  for (const unknown of ['admin', 'plans:read']) {
    expect(() => newScopes('owner', ['read', unknown])).toThrow(
      expect.objectContaining({ code: 'bad_argument', message: `There is no scope "${unknown}".`, fix }),
    );
  }
});

test('a new key has no scope that the role of its person lacks', () => {
  expect(newScopes('member', undefined)).toEqual(['read', 'decisions:write', 'plans:write', 'scrape']);
  expect(newScopes('viewer', undefined)).toEqual(['read']);
  for (const [role, scope] of [
    ['viewer', 'decisions:write'],
    ['viewer', 'plans:write'],
    ['viewer', 'scrape'],
    ['viewer', 'keys:write'],
    ['member', 'keys:write'],
  ] as const) {
    expect(() => newScopes(role, ['read', scope])).toThrow(expect.objectContaining({ code: 'scope_denied' }));
  }
});

test('what a key can now is what it was given, within the role of its person, and nothing for who is no member', () => {
  const scopes = ['keys:write', 'plans:write', 'decisions:write', 'read', 'scrape', 'of-before'];
  const allowed = (role: Role | null, personId: string | null = 'somebody') => scopesNow({ personId, role, scopes });

  expect((['owner', 'admin', 'member', 'viewer'] as const).map((role) => allowed(role))).toEqual([
    ['read', 'decisions:write', 'plans:write', 'scrape', 'keys:write'],
    ['read', 'decisions:write', 'plans:write', 'scrape', 'keys:write'],
    ['read', 'decisions:write', 'plans:write', 'scrape'],
    ['read'],
  ]);
  expect(allowed(null)).toBeUndefined();
  expect(allowed(null, null)).toEqual(['read', 'decisions:write', 'plans:write', 'scrape', 'keys:write']);
});

test('a former value works for its time of grace, and no longer than the key itself', () => {
  const soon = new Date('2026-11-21T10:30:00.000Z');

  expect(graceEnd('none', null, now)).toBeNull();
  expect(graceEnd('1h', null, now)?.toISOString()).toBe('2026-11-21T11:00:00.000Z');
  expect(graceEnd('7d', new Date('2027-01-01'), now)?.toISOString()).toBe('2026-11-28T10:00:00.000Z');
  expect(graceEnd('24h', soon, now)).toEqual(soon);
});

test('a key is shown with the end of its former value until that has passed', () => {
  const row = { id: 'k', name: 'ci', createdAt: now, createdBy: 'somebody', lastUsedAt: null, expiresAt: null };
  const more = { scopes: ['read'], personId: null, role: null, productId: 'p' };
  const shown = (graceEndsAt: Date | null) => asApiKey({ ...row, ...more, graceEndsAt }, 'shop', now);

  expect(shown(null)).toMatchObject({ status: 'active', scopes: ['read'], product: 'shop', graceEndsAt: undefined });
  expect(shown(new Date(now.getTime() + 1)).graceEndsAt).toEqual(new Date(now.getTime() + 1));
  expect(shown(now).graceEndsAt).toBeUndefined();
});
