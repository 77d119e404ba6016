import { stem, termsOf } from '../../kernel/terms.ts';
import { coverage } from '../question/term-weights.ts';
import { rootOf } from '../question/word-forms.ts';

/** A verb whose `l` British writers double before an ending: cancell, travell; no short word, as bill and sell. */
const DOUBLED = /^[a-z]{3,}[^aeiou][aeiou]ll$/;
/** Words that customers use for one and the same thing: what is asked by one of them is counted by all. */
const SAME = groupsOf(
  'ad ads advert adverts advertisement advertisements commercial commercials; login logon signin; logout signout signoff; ' +
    'subtitle subtitles caption captions; tv television televisions; refund reimbursement; internet wifi; ' +
    'photo picture image; movie film; bike bicycle; cellphone smartphone',
);
/** Words that come near to each other: counted together only where those of the question are hardly said, and told which. */
const NEAR = groupsOf(
  'price cost expensive cheap pricey overpriced affordable inexpensive pricing; internet online offline connection connect network; ' +
    'remove drop end delete discontinue abolish retire; gift present birthday; slow lag laggy sluggish; crash freeze hang; ' +
    'refund money; cancel unsubscribe; phone call telephone hotline; scam fraud fraudulent swindle; broken defective faulty; ' +
    'rude unfriendly impolite; loud noisy',
);

function groupsOf(list: string): ReadonlyMap<string, readonly string[]> {
  const groups = list.split(/;\s*/).map((group) => group.split(' '));
  return new Map(groups.toReversed().flatMap((group) => group.map((word) => [termOf(stem(word)), group] as const)));
}

/** Verbs of two words that are one: `logged in`, `sign into`, `log-out`. */
const TWO_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:log|sign)(?:s|g?ed|g?ing)?[\s-]+(?:in|on|into)\b/g, 'login'],
  [/\b(?:log|sign)(?:s|g?ed|g?ing)?[\s-]+(?:out|off)\b/g, 'logout'],
  [/\bwi[\s-]fi\b/g, 'wifi'],
];
/** How else such a verb is searched for. */
const WRITTEN: Readonly<Record<string, readonly string[]>> = {
  login: ['log in', 'sign in'],
  logout: ['log out', 'sign out'],
};
const MOST_WAYS = 8;

/** What the stemmer leaves in two forms in one: ads and ad, cancelled and canceled. */
function termOf(term: string): string {
  return /^[a-z]{2}s$/.test(term) || DOUBLED.test(term) ? term.slice(0, -1) : term;
}

/** The terms of what somebody says, words for the same thing as one; with `isNear`, those that come near to it, too. */
export function termsSaid(text: string, isNear = false): string[] {
  return termsOf(withVerbs(text)).map((term) => familyOf(termOf(rootOf(term)), isNear));
}

/** What stands for a term and all that come near to it. */
export function nearOf(term: string): string {
  return familyOf(term, true);
}

function familyOf(term: string, isNear: boolean): string {
  const same = termOf(rootOf(stem(SAME.get(term)?.[0] ?? term)));
  const near = isNear ? (NEAR.get(same)?.[0] ?? same) : same;
  return near === same ? same : termOf(rootOf(stem(near)));
}

/** A phrase in the ways in which it may be said, itself first. */
export function waysToSay(phrase: string, isNear = false): string[] {
  const whole = withVerbs(phrase);
  const words = whole.split(/\s+/);
  const at = words.findIndex((word) => othersFor(word, isNear).length > 0);
  const others = at === -1 ? [] : othersFor(words[at] ?? '', isNear);
  const ways = others.map((other) => words.toSpliced(at, 1, other).join(' '));
  const distinct = Map.groupBy([phrase, ...ways], (way) => termsOf(way).join(' '));
  return [...distinct.values()].flatMap(([way]) => way ?? []).slice(0, MOST_WAYS);
}

/** A text in lower case with verbs of two words as one. */
function withVerbs(text: string): string {
  return TWO_WORDS.reduce((said, [verb, name]) => said.replaceAll(verb, name), text.toLowerCase());
}

function othersFor(word: string, isNear: boolean): string[] {
  const [term = ''] = termsOf(word).map((one) => termOf(rootOf(one)));
  const same = SAME.get(term) ?? [];
  const near = isNear ? (NEAR.get(term) ?? NEAR.get(familyOf(term, false)) ?? []) : [];
  const plural = /^[a-z]{2,3}$/.test(term) ? [term, `${term}s`] : [];
  const doubled = /^[a-z]{3,}[^aeiou][aeiou]l$/.test(term) ? [term, `${term}led`] : [];
  const all = [...plural, ...doubled, ...same, ...near];
  return [...all.flatMap((one) => WRITTEN[one] ?? []), ...all];
}

/** The words of a phrase, each with what it says; a verb of two words is one. */
export function termsByWord(phrase: string): Map<string, string> {
  const words = withVerbs(phrase).split(/\s+/);
  return new Map(words.flatMap((word) => termsSaid(word).map((term) => [term, word] as const)));
}

/** The share of the words of a thing that texts say together, in these words or in words near to them, 0..1. */
export function shareSaid(thing: string, texts: readonly string[]): number {
  const weights = new Map(termsSaid(thing, true).map((term) => [term, 1]));
  return coverage(weights, texts, (text) => termsSaid(text, true));
}
