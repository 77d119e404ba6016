import type { BlameRange } from './blame.ts';
import { isOwner, type OwnerRule } from './codeowners.ts';
import type { FilePeople, FilePerson } from '../queries/store-ownership.ts';
import { spellingKey } from '../queries/people.ts';
import trained from './next-author-weights.json' with { type: 'json' };

/** People with less than this part of the lines and of the recent commits are not listed, unless they are few. */
const LEAST_PERCENT = 1;
const LEAST_LISTED = 10;
const MOST_LIKELY = 5;
/** Decayed commits of all kinds below which somebody counts as gone. */
const LEAST_WORK = 0.01;

/** The facts about one file. `blame` is undefined where git cannot tell who wrote the lines. */
interface OwnershipFacts {
  history: FilePeople;
  blame: readonly BlameRange[] | undefined;
  /** The rule of CODEOWNERS that counts for the file, and where it stands. */
  rule?: OwnerRule & { file: string };
}

/** Someone who wrote part of a file. Percents are of all people, those of programs left out. */
interface Owner {
  author: string;
  email: string;
  lines: number;
  linesPercent: number;
  commits: number;
  /** Of the commits, each worth half as much after every 180 days. */
  decayedPercent: number;
  /** Newest commit to the file, in seconds since 1970; 0 when only the lines tell. */
  lastAt: number;
  /** First and last lines of the pieces that the person wrote last, in order. */
  ranges: [start: number, end: number][];
}

/** Someone who may change the file next, with what says so: commits to the file, its folder, the repository, all decayed. */
interface LikelyAuthor {
  author: string;
  email: string;
  /** Likelihood relative to the likeliest: 0 to 1. */
  score: number;
  file: number;
  folder: number;
  repository: number;
  /** Days since the last commit of this person to the repository. */
  idleDays: number;
}

export interface Ownership {
  /** By lines and recent commits together, most first. */
  owners: Owner[];
  /** The fewest people who wrote more than half of the lines (of the decayed commits, where lines are not known). */
  busFactor: number;
  likelyNext: LikelyAuthor[];
  /**
   * True if CODEOWNERS names one of the people whom the bus factor counts; undefined where that cannot be determined, as for
   * teams.
   */
  agrees?: boolean;
}

/** Works out who owns a file. Pure. */
export function ownershipOf({ history, blame, rule }: OwnershipFacts): Ownership {
  const people = history.people.filter(({ bot }) => !bot);
  const pieces = piecesByPerson(people, blame ?? []);
  const lines = new Map([...pieces].map(([person, own]) => [person, sum(own.map(([start, end]) => end - start + 1))]));
  const all = { lines: sum([...lines.values()]), decayed: sum(people.map(({ decayed }) => decayed)) };
  const owners = people
    .map((person): Owner & { person: FilePerson } => ({
      person,
      author: person.name,
      email: person.email,
      lines: lines.get(person) ?? 0,
      linesPercent: percent(lines.get(person) ?? 0, all.lines),
      commits: person.commits,
      decayedPercent: percent(person.decayed, all.decayed),
      lastAt: person.lastAt,
      ranges: pieces.get(person) ?? [],
    }))
    .filter((owner) => owner.lines > 0 || owner.commits > 0)
    .toSorted((a, b) => weight(b) - weight(a) || b.lastAt - a.lastAt || (a.author < b.author ? -1 : 1));
  const shares = owners.map((owner) => (all.lines > 0 ? owner.linesPercent : owner.decayedPercent));
  const busFactor = fewestForHalf(shares);
  const key = owners.toSorted((a, b) => shareOf(b, all.lines) - shareOf(a, all.lines)).slice(0, busFactor);
  const agrees = rule === undefined ? undefined : agreement(rule, key, people);
  return {
    owners: owners
      .filter((owner, at) => at < LEAST_LISTED || weight(owner) >= 2 * LEAST_PERCENT)
      .map(({ person: _, ...owner }) => owner),
    busFactor,
    likelyNext: likelyNext(people),
    ...(agrees !== undefined && { agrees }),
  };
}

/**
 * Ranks who may change a file next. Recent work anywhere in the repository weighs most, then how long that is ago, work in the
 * folder, and work on the file itself: the authors of the lines are often gone.
 */
function likelyNext(people: readonly FilePerson[]): LikelyAuthor[] {
  const ranked = people
    .filter(({ decayed, folder, repository }) => decayed + folder + repository > LEAST_WORK)
    .map(({ name: author, email, decayed: file, folder, repository, idleDays }) => {
      const work = { file, folder, repository, idleDays };
      return { author, email, score: likelihoodOf(work), ...work };
    })
    .toSorted((a, b) => b.score - a.score || a.idleDays - b.idleDays || (a.author < b.author ? -1 : 1))
    .slice(0, MOST_LIKELY);
  const most = ranked[0]?.score ?? 1;
  return ranked.map((owner) => ({ ...owner, score: owner.score / most }));
}

/** Up to a factor. The exponents are the weights of a softmax over everybody at work; `newcomer` stands for somebody new. */
function likelihoodOf({
  file,
  folder,
  repository,
  idleDays,
}: Pick<LikelyAuthor, 'file' | 'folder' | 'repository' | 'idleDays'>): number {
  const { exponents, newcomer } = trained;
  const work =
    (newcomer + file) ** exponents.file *
    (newcomer + folder) ** exponents.folder *
    (newcomer + repository) ** exponents.repository;
  return work / (1 + idleDays) ** exponents.idle;
}

function piecesByPerson(people: readonly FilePerson[], blame: readonly BlameRange[]): Map<FilePerson, Owner['ranges']> {
  const bySpelling = new Map(
    people.flatMap((person) => person.spellings.map((spelling) => [spelling, person] as const)),
  );
  const byAddress = new Map(people.map((person) => [person.email.toLowerCase(), person] as const));
  const pieces = new Map<FilePerson, Owner['ranges']>();
  for (const { start, end, author, email } of blame) {
    const person = bySpelling.get(spellingKey(author, email)) ?? byAddress.get(email.toLowerCase());
    if (person === undefined) continue;
    const own = pieces.get(person) ?? [];
    const last = own.at(-1);
    if (last?.[1] === start - 1) last[1] = end;
    else own.push([start, end]);
    pieces.set(person, own);
  }
  return pieces;
}

/** Returns how many of the largest shares (in percent) are needed for more than half. */
function fewestForHalf(shares: readonly number[]): number {
  let remaining = sum(shares) / 2;
  let count = 0;
  for (const share of shares.toSorted((a, b) => b - a)) {
    if (share === 0) break;
    count += 1;
    remaining -= share;
    if (remaining < 0) break;
  }
  return count;
}

/** Undefined where none of the owners is somebody in the history: teams, and accounts whose addresses say nothing. */
function agreement(
  { owners }: OwnerRule,
  key: readonly { person: FilePerson }[],
  people: readonly FilePerson[],
): boolean | undefined {
  const owningPeople = people.filter(({ aliases }) => owners.some((owner) => isOwner(owner, aliases)));
  return owningPeople.length === 0 ? undefined : key.some(({ person }) => owningPeople.includes(person));
}

function weight({ linesPercent, decayedPercent }: Owner): number {
  return linesPercent + decayedPercent;
}

function shareOf(owner: Owner, lines: number): number {
  return lines > 0 ? owner.linesPercent : owner.decayedPercent;
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
