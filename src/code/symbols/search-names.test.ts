import { expect, test } from 'vitest';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { shardInput, withShard } from '../../testing/code-shard.ts';
import { matchNames, NAME_TIERS, nearestNames, similarNames, splitQuery } from './search-names.ts';

/** An index of functions with these names. */
function withNames<Result>(names: readonly string[], work: (db: ShardDatabase) => Result): Promise<Result> {
  const symbols = names.map((name, at) => ({ qualified: name, kind: 'function' as const, line: at + 1 }));
  const text = names.map((name) => `function ${name}() {}\n`).join('');
  return withShard(shardInput([{ path: 'a.ts', text, symbols }]), work);
}

/** Names that fit a query, as `prefix sendMail`, best first. */
function matchesOf(db: ShardDatabase, query: string): string[] {
  const textOf = db.prepare('select text from name where id = ?');
  return matchNames(db, query, (names) => [...names])
    .map(([id, tier]) => ({ tier, text: (textOf.get(id) as { text: string }).text }))
    .toSorted((a, b) => a.tier - b.tier || (a.text < b.text ? -1 : 1))
    .map(({ tier, text }) => `${NAME_TIERS[tier]} ${text}`);
}

test('a query is parted at what languages put between names', () => {
  expect(['a/b/send', 'a.b::send', ' A#send() ', 'send', '/', ''].map(splitQuery)).toEqual([
    { qualifier: 'a/b', name: 'send' },
    { qualifier: 'a/b', name: 'send' },
    { qualifier: 'A', name: 'send' },
    { qualifier: '', name: 'send' },
    { qualifier: '', name: '' },
    { qualifier: '', name: '' },
  ]);
});

test('a name fits whole, in another case, by its beginning, by its words, and by what is inside of it', () =>
  withNames(['send', 'SEND', 'sendMail', 'mailSender', 'resend', 'queueOfMails', 'post'], (db) => {
    expect(matchesOf(db, 'send')).toEqual([
      'exact send',
      'case SEND',
      'prefix sendMail',
      'word mailSender',
      'substring resend',
    ]);
    expect(matchesOf(db, 'qom')).toEqual(['word queueOfMails']);
    expect(matchesOf(db, 'qm')).toEqual([]);
    // Words that begin those of the name, in their order.
    expect(matchesOf(db, 'queMai')).toEqual(['word queueOfMails']);
    expect(matchesOf(db, 'maiQue')).toEqual([]);
    expect(matchesOf(db, 'ofMails')).toEqual(['word queueOfMails']);
    expect(matchesOf(db, '')).toEqual([]);
  }));

test('initials are two to eight letters', () =>
  withNames(['oneTwoSixTenRedSunSeaSky', 'oneTwoSixTenRedSunSeaSkyIce', 'zero'], (db) => {
    const both = ['word oneTwoSixTenRedSunSeaSky', 'word oneTwoSixTenRedSunSeaSkyIce'];

    expect([matchesOf(db, 'ot'), matchesOf(db, 'otstrsss')]).toEqual([both, both]);
    expect([matchesOf(db, 'ottr'), matchesOf(db, 'otstrsssi')]).toEqual([[], []]);
    expect(matchesOf(db, 'z')).toEqual(['prefix zero']);
  }));

test('stars and question marks stand for letters, in any case, and other signs for themselves', () =>
  withNames(['send', 'SendMail', 'send_all', 'sand'], (db) => {
    expect(matchesOf(db, 'send*')).toEqual(['exact SendMail', 'exact send', 'exact send_all']);
    expect(matchesOf(db, 's?nd')).toEqual(['exact sand', 'exact send']);
    expect(matchesOf(db, '*_*')).toEqual(['exact send_all']);
  }));

test('a name that nothing fits is taken as one that is alike in three fifths of its letters', () =>
  withNames(['abcde', 'abcdefghij', 'zzz'], (db) => {
    expect(matchesOf(db, 'abcxy')).toEqual(['fuzzy abcde']);
    expect(matchesOf(db, 'abxyz')).toEqual([]);
    expect(matchesOf(db, 'abcdefvwxy')).toEqual(['fuzzy abcdefghij']);
    expect(matchesOf(db, 'abcdeuvwxy')).toEqual([]);
    // Seven letters may be too many more, five of them the same.
    expect(similarNames(db, 'abcdexxxx', 9)).toEqual([]);
    expect(nearestNames(db, { name: 'Shop/abcdf', limit: 9 })).toEqual(['abcde']);
  }));

test('the most alike of twenty names comes first, then by the alphabet', () => {
  const names = Array.from({ length: 26 }, (_, at) => `sendMail${String.fromCharCode(90 - at)}`);

  return withNames([...names, 'sendMail', 'sendMailAA'], (db) => {
    const nearest = nearestNames(db, { name: 'sendMial', limit: 99 });
    expect([nearest.length, nearest[0]]).toEqual([20, 'sendMail']);
    expect(nearest.slice(1)).toEqual(names.toReversed().slice(0, 19));
    expect(nearestNames(db, { name: 'sendMial', limit: 1 })).toEqual(['sendMail']);
  });
});
