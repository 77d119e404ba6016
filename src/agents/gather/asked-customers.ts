import { termsOf } from '../../kernel/terms.ts';
import { asks } from '../question/kinds.ts';
import { subjectOf } from '../question/subject.ts';
import { countSignalsOf, shareOfSignals } from './signals.ts';
import type { Tools } from './tools.ts';

/** What is said before those who say something: `enterprise` of `What do enterprise customers say?` */
const OF_KIND = /\b([\p{L}\d][\p{L}\d-]+)\s+(?:customers?|users?|clients?|people)\b/giu;
/** A word that is written as a name. The first word of a question is always. */
const NAMES = /(?<=\s)\p{Lu}[\p{L}\d]+\b/gu;
/** Words before customers that are of no kind, and are not asked for. */
const OF_ANY = new Set(
  'our the many most some other all new these those any do what which more few how of by'.split(' '),
);
const MOST_ASKED = 3;
/** A name that so large a share of all signals has is that of what they are about: the product's own. */
const OWN_NAME = 0.1;

/** Whose signals a question asks for, and its words without them and without the product's own name. */
interface AskedCustomers {
  words: string;
  /** A customer, segment or source. */
  customer: string | undefined;
}

/** Finds out which customers a question means and what the product is called, by what signals there are. A call a word, six at most. */
export async function findAskedCustomers(tools: Tools, words: string): Promise<AskedCustomers> {
  const kinds = [...words.matchAll(OF_KIND)].map(([, kind = '']) => kind);
  const names = words.match(NAMES) ?? [];
  const wanted = [...new Set([...kinds.filter((kind) => !OF_ANY.has(kind.toLowerCase())), ...names])].slice(
    0,
    MOST_ASKED,
  );
  const [counts, shares] = await Promise.all([
    Promise.all(wanted.map((word) => countSignalsOf(tools, word))),
    Promise.all(names.slice(0, MOST_ASKED).map((name) => shareOfSignals(tools, name))),
  ]);
  const customer = wanted.find((_, at) => (counts[at] ?? 0) > 0);
  const own = names.filter((_, at) => (shares[at] ?? 0) >= OWN_NAME);
  const left = [...own, ...(customer === undefined ? [] : [customer])].reduce(
    (text, word) => text.replace(new RegExp(`(?:\\b(?:about|of|with|from|in|on) (?:the )?)?\\b${word}\\b`, 'u'), ' '),
    words,
  );
  return { words: left.replaceAll(/\s+/g, ' ').trim(), customer };
}

/** Words without the prepositions and articles around them, as they are shown: `with remote SSH` → remote SSH. */
export function shownSubject(words: string): string {
  const whole = subjectOf(words);
  // Who asks for support of a thing asks for the thing.
  const wished = asks('wishes', words) ? whole.replace(/\s+support\b/gi, ' ') : whole;
  const subject = termsOf(wished).length > 0 ? wished : whole;
  const bare = subject
    .replace(/^(?:(?:with|about|of|on|in|for|to|at|from|and|or|using|the|their|our|my|your)\s+)+/i, '')
    .replace(/[\s,]+(?:and|or|with|for)?$/i, '');
  return termsOf(bare).length > 0 ? bare : subject;
}
