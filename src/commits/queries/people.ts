import { addToList } from '../../kernel/lists.ts';
import type { ShardDatabase } from '../../indexes/shards/shards.ts';
import { wordsOf } from '../../text/words.ts';

/** The people of a history; every answer calls an author as this does. Reads the authors of all commits once a shard: 15 ms for 20,000. */
export function peopleOfHistory(db: ShardDatabase): People {
  return db.derived('people', () => {
    const rows = db
      .prepare(
        `select a.id, a.name, a.email, a.bot, count(*) as commits, min(c.id) as first, max(c.id) as last
           from author a join git_commit c on c.author_id = a.id group by a.id order by a.id`,
      )
      .all() as unknown as (Omit<AuthorSpelling, 'bot'> & { bot: number })[];
    return groupSpellings(rows.map((row) => ({ ...row, bot: row.bot === 1 })));
  });
}

/** A name and an address as commits have them, after `.mailmap`. */
export interface AuthorSpelling {
  /** Id of the author row; at least 1. */
  id: number;
  name: string;
  email: string;
  bot: boolean;
  commits: number;
  /** Ids of the first and last of these commits; ids rise from parents to children. */
  first: number;
  last: number;
}

/** One person, or one program, with every spelling that is theirs. */
export interface Person {
  /** The name and the address of most commits; of equals, the newer. */
  name: string;
  email: string;
  /** Addresses and names of all spellings, in lower case. */
  aliases: string[];
  /** All spellings as `spellingKey` gives them. */
  spellings: string[];
  bot: boolean;
}

interface People {
  /** By author id, the index of the person; -1 at 0. */
  of: Int32Array;
  people: Person[];
}

/** Two spans of one address may overlap by this part of the shorter and still be one person who changed the name. */
const MOST_OVERLAP = 0.2;

/**
 * Groups spellings into people. One address is one person, and so is one full name, with these exceptions, each of which
 * says that two people are meant:
 *
 * - a full name that has most of its commits under another address is that other person (a commit made on a colleague's
 *   machine joins nobody);
 * - two full names that are not forms of each other and alternate under one address are two people who share it; one after
 *   the other they are one person who changed the name;
 * - a name of one word joins addresses only where it is an account name: the name used most there, in lower case, and the
 *   mailbox of one of them. Given names (`Max`) and accounts of machines (`root@localhost`) join nothing;
 * - programs are never people.
 *
 * Cost: linear in the spellings, but for those of one address, which are compared with its main name.
 */
export function groupSpellings(spellings: readonly AuthorSpelling[]): People {
  const authors = spellings.map(readAuthor);
  const union = new UnionFind(authors.length);
  const homes = homesOfNames(authors);
  const byAddress = [...groupBy(authors, ({ address }) => address).values()];
  for (const members of byAddress) joinAddress(members, homes, union);
  for (const members of groupBy(authors, ({ fullName }) => fullName).values()) joinAll(members, union);
  for (const members of groupBy(byAddress.map(mostCommits), ({ account }) => account).values())
    if (members.some(({ isMailbox }) => isMailbox)) joinAll(members, union);
  return peopleOf(authors, union);
}

/** Names one spelling as text; the same for names and addresses that differ in case alone. */
export function spellingKey(name: string, email: string): string {
  return `${name.trim().toLowerCase()} <${email.trim().toLowerCase()}>`;
}

/** Keys begin with `bot` for programs, so that these never meet a person. */
interface Author extends AuthorSpelling {
  at: number;
  words: string[];
  /** Undefined where there is no address. */
  address: string | undefined;
  /** Undefined for a name of one word, or none. */
  fullName: string | undefined;
  /** The name of an account that may stand for a person at several addresses. */
  account: string | undefined;
  /** True if `account` is the mailbox of this address. */
  isMailbox: boolean;
}

function readAuthor(spelling: AuthorSpelling, at: number): Author {
  const words = nameWords(spelling.name);
  const { mailbox, domain, address } = readAddress(spelling.email);
  const kind = spelling.bot ? 'bot ' : '';
  const name = spelling.name.trim();
  const isAccount = words.length === 1 && name === name.toLowerCase() && !isMachine(domain);
  return {
    ...spelling,
    at,
    words,
    address: address === '' ? undefined : kind + address,
    fullName: isFull(words) ? kind + words.join(' ') : undefined,
    account: isAccount ? kind + name : undefined,
    isMailbox: mailbox === name,
  };
}

/** Words of a name in lower case without accents; what stands in brackets at its end (`Ada Example (aider)`) is no part of it. */
function nameWords(name: string): string[] {
  const bare = name.replace(/\s*[([][^()[\]]*[)\]]\s*$/, '');
  const plain = (bare.trim() === '' ? name : bare)
    .replace(/@.*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  return wordsOf(plain.toLowerCase(), 'plain');
}

/** Two words, or one in a script that writes family and given names together. */
function isFull(words: readonly string[]): boolean {
  return (
    words.length > 1 ||
    /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]{2,}$/u.test(words[0] ?? '')
  );
}

/** The private addresses of a hosting service (`1234+login@users.noreply…`) and tags (`name+git@…`) are one address each. */
function readAddress(email: string): { mailbox: string; domain: string; address: string } {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/.exec(email.trim().toLowerCase()) ?? [];
  const mailbox = domain.startsWith('users.noreply.')
    ? local.replace(/^\d+[+-]/, '')
    : local.replace(/(?<=.)\+.*$/, '');
  return { mailbox, domain, address: mailbox === '' ? email.trim().toLowerCase() : `${mailbox}@${domain}` };
}

/** A domain that only a machine or a local network has. */
function isMachine(domain: string): boolean {
  return !/\.[a-z]{2,}$/.test(domain) || /\.(?:local|localdomain|internal|lan|home|invalid)$/.test(domain);
}

/** By full name, the address with most of its commits; of equals the first. */
function homesOfNames(authors: readonly Author[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const { fullName, address, commits } of authors) {
    if (fullName === undefined || address === undefined) continue;
    const ofName = counts.get(fullName) ?? new Map<string, number>();
    counts.set(fullName, ofName.set(address, (ofName.get(address) ?? 0) + commits));
  }
  return new Map(
    [...counts].map(([name, ofName]) => [
      name,
      [...ofName].reduce((most, next) => (next[1] > most[1] ? next : most))[0],
    ]),
  );
}

/** Joins the spellings of one address to its main one, as far as they are the same person. */
function joinAddress(members: readonly Author[], homes: ReadonlyMap<string, string>, union: UnionFind): void {
  const isAtHome = ({ fullName, address }: Author): boolean =>
    fullName !== undefined && homes.get(fullName) === address;
  const main = mostCommits(candidatesForMain(members, isAtHome));
  const same = members.filter(
    (member) => member !== main && member.fullName === main.fullName && main.fullName !== undefined,
  );
  const span = {
    first: Math.min(main.first, ...same.map(({ first }) => first)),
    last: Math.max(main.last, ...same.map(({ last }) => last)),
  };
  for (const member of members) {
    const isOne =
      member.fullName === undefined ||
      isFormOf(member.words, main.words) ||
      (isAtHome(member) && isAfter(member, span));
    if (isOne) union.join(member.at, main.at);
  }
}

/**
 * Spellings of which one may name the address: full names that are at home here; else the only full name, of an address that
 * is no machine's; else all.
 */
function candidatesForMain(members: readonly Author[], isAtHome: (member: Author) => boolean): readonly Author[] {
  const atHome = members.filter(isAtHome);
  if (atHome.length > 0) return atHome;
  const full = members.filter(({ fullName }) => fullName !== undefined);
  const isOnly = new Set(full.map(({ fullName }) => fullName)).size === 1;
  return isOnly && full.every(({ email }) => !isMachine(readAddress(email).domain)) ? full : members;
}

/** One name is part of the other, has its initials, or is written in another script. */
function isFormOf(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const isPart = short.every((word) =>
    long.some(
      (other) =>
        other === word ||
        (word.length === 1 && other.startsWith(word)) ||
        (other.length === 1 && word.startsWith(other)),
    ),
  );
  return isPart || a.join('') === b.join('') || isLatin(a) !== isLatin(b);
}

function isLatin(words: readonly string[]): boolean {
  return /\p{Script=Latin}/u.test(words.join(''));
}

/** The two are in use one after the other. */
function isAfter(a: { first: number; last: number }, b: { first: number; last: number }): boolean {
  const overlap = Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1;
  const shorter = Math.min(a.last - a.first, b.last - b.first) + 1;
  return overlap <= MOST_OVERLAP * shorter;
}

function peopleOf(authors: readonly Author[], union: UnionFind): People {
  const of = new Int32Array(authors.reduce((most, { id }) => Math.max(most, id), 0) + 1).fill(-1);
  const groups = new Map<number, Author[]>();
  for (const author of authors) {
    addToList(groups, union.find(author.at), author);
  }
  const people = [...groups.values()].map((members, index): Person => {
    for (const { id } of members) of[id] = index;
    return {
      name: mostUsed(members, ({ name }) => name.trim()),
      email: mostUsed(members, ({ email }) => email.trim()),
      aliases: [
        ...new Set(members.flatMap(({ name, email }) => [email.trim().toLowerCase(), name.trim().toLowerCase()])),
      ].filter(Boolean),
      spellings: [...new Set(members.map(({ name, email }) => spellingKey(name, email)))],
      bot: members.some(({ bot }) => bot),
    };
  });
  return { of, people };
}

/** The value with most commits; of equals the one used last. */
function mostUsed(members: readonly Author[], valueOf: (author: Author) => string): string {
  const counts = new Map<string, { commits: number; last: number }>();
  for (const member of members) {
    const value = valueOf(member);
    const { commits = 0, last = 0 } = counts.get(value) ?? {};
    counts.set(value, { commits: commits + member.commits, last: Math.max(last, member.last) });
  }
  const [most] = [...counts].toSorted(([, a], [, b]) => b.commits - a.commits || b.last - a.last);
  return most?.[0] ?? '';
}

function mostCommits(members: readonly Author[]): Author {
  return members.reduce((most, next) =>
    next.commits > most.commits || (next.commits === most.commits && next.last > most.last) ? next : most,
  );
}

function joinAll([first, ...others]: readonly Author[], union: UnionFind): void {
  if (first !== undefined) for (const { at } of others) union.join(first.at, at);
}

/** Members without a key are in no group. */
function groupBy(authors: readonly Author[], keyOf: (author: Author) => string | undefined): Map<string, Author[]> {
  const groups = new Map<string, Author[]>();
  for (const author of authors) {
    const key = keyOf(author);
    if (key !== undefined) addToList(groups, key, author);
  }
  return groups;
}

class UnionFind {
  readonly #parent: Int32Array;

  constructor(size: number) {
    this.#parent = Int32Array.from({ length: size }, (_, at) => at);
  }

  find(at: number): number {
    let root = at;
    for (let next = this.#parent[root] ?? root; next !== root; next = this.#parent[root] ?? root) {
      this.#parent[root] = this.#parent[next] ?? next;
      root = next;
    }
    return root;
  }

  join(a: number, b: number): void {
    this.#parent[this.find(a)] = this.find(b);
  }
}
