import { termsOf } from '../../kernel/terms.ts';
import { asks } from '../question/kinds.ts';
import { subjectOf } from '../question/subject.ts';
import { countSignals } from './search-signals.ts';
import { shareOfSignals } from './signals.ts';
import type { Tools } from './tools.ts';

/** What is said before those who say something: `enterprise` or `small business` of `What do small business customers say?` */
const OF_KIND = /\b(?:([\p{L}\d][\p{L}\d-]+)\s+)?([\p{L}\d][\p{L}\d-]+)\s+(?:customers?|users?|clients?|people)\b/giu;
/** A word that is written as a name, and several in a row. The first word of a question is always. */
export const NAMES = /(?<=\s)\p{Lu}[\p{L}\d]+\b/gu;
const LONG_NAMES = /(?<=\s)\p{Lu}[\p{L}\d]+(?: \p{Lu}[\p{L}\d]+)+/gu;
/** Words before customers that are of no kind, and are not asked for. */
const OF_ANY = new Set(
  'our the many most some other all new these those any do what which more few how of by'.split(' '),
);
const MOST_ASKED = 4;
/** A name that so large a share of all signals has is that of what they are about: the product's own. */
export const OWN_NAME = 0.1;

/** Whose signals a question asks for, and its words without them and without the product's own name. */
interface AskedCustomers {
  words: string;
  /** A customer, segment or source. */
  customer: string | undefined;
}

/** Finds out which customers a question means and what the product is called, by what signals there are. A call a name, eight at most. */
export async function findAskedCustomers(tools: Tools, words: string): Promise<AskedCustomers> {
  const kinds = [...words.matchAll(OF_KIND)].map(([, before = '', kind = '']) => [before, kind]);
  const names = words.match(NAMES) ?? [];
  // The longest first: `small business` before `business`.
  const wanted = [
    ...kinds.flatMap((kind) => (kind.every(isOfKind) ? [kind.join(' ')] : [])),
    ...(words.match(LONG_NAMES) ?? []),
    ...kinds.flatMap(([, kind = '']) => (isOfKind(kind) ? [kind] : [])),
    ...names,
  ].slice(0, MOST_ASKED);
  const [counts, shares] = await Promise.all([
    Promise.all(wanted.map((customer) => countSignals(tools, { customer }))),
    Promise.all(names.slice(0, MOST_ASKED).map((name) => shareOfSignals(tools, name))),
  ]);
  const customer = wanted.find((_, at) => (counts[at] ?? 0) > 0);
  const own = names.filter((_, at) => (shares[at] ?? 0) >= OWN_NAME);
  const left = [...own, ...(customer === undefined ? [] : [customer])].reduce(
    (text, word) =>
      text.replace(new RegExp(`(?:\\b(?:about|of|with|from|in|on) (?:the )?)?\\b${word}\\b(?:['’]s)?`, 'u'), ' '),
    words,
  );
  return { words: left.replaceAll(/\s+/g, ' ').trim(), customer };
}

function isOfKind(word: string): boolean {
  return word !== '' && !OF_ANY.has(word.toLowerCase());
}

/**
 * Words that say how something is, happens or is found, and nothing of what it is: no text is searched for them where others are left.
 * What stands alone around them (`that`, `by itself`) goes with them.
 */
const LIGHT = new RegExp(
  String.raw`\b(?:${[
    'keep(?:s|ing)?|kept|get(?:s|ting)?|got|go(?:es|ing)?|let(?:s|ting)?|mak(?:e|es|ing)|made|try(?:ing)?|tries|use[sd]?|using|bought|buy',
    "can(?:no|['’])?t|can|cannot|could(?:n['’]t)?|does(?:n['’]t)?|do(?:n['’]t)?|wo(?:n['’]t)|unable to|able to|fail(?:s|ing)? to|should|would",
    'planning|thinking|expected|supposed|according to|compared (?:to|with)|because of|instead of|next to|so that|so|that|if|than',
    'by (?:itself|themselves|yoursel(?:f|ves)|myself)|all the time|all of a sudden|again|always|often|never|ever|still|only|just|really|too|very|lately|recently|nobody|no one|every(?:one|body)|others?|themselves|their|they|back',
    'going to|will|devices?|products?|items?|apps?|after|before|during',
    'how(?: often| long| far| much)?|appears?|shows?|shown|happens?|comes?|becomes?|stays?|looks?|seems?|gives?|takes?|better|worse|less|fewer|much|changed?|anything|something|things?|way|frequent(?:ly)?|part|done',
  ].join('|')})(?![\w'’])`,
  'gi',
);

/** Words without the prepositions and articles around them, as they are shown: `with remote SSH` → remote SSH. */
export function shownSubject(words: string): string {
  const whole = subjectOf(words);
  // Who asks for support of a thing asks for the thing.
  const wished = asks('wishes', words) ? whole.replace(/\s+support\b/gi, ' ') : whole;
  const subject = termsOf(wished).length > 0 ? wished : whole;
  const heavy = subject.replaceAll(LIGHT, ' ').replaceAll(/\s+/g, ' ').trim();
  const bare = (termsOf(heavy).length > 0 ? heavy : subject)
    .replace(/^(?:(?:with|about|of|on|in|for|to|at|from|and|or|as|using|the|their|our|my|your)\s+)+/i, '')
    .replace(/(?:[\s,;:]+(?:and|or|with|for)?)+$/i, '');
  return termsOf(bare).length > 0 ? bare : subject;
}
