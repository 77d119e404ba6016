import { partsOf, termsOf } from '../../kernel/terms.ts';
import { clausesOf } from './clauses.ts';
import { asks } from './kinds.ts';
import { hasSubject } from './subject.ts';
import { hasTopic, inOneWord, topicOf } from './topic.ts';

const MOST = 4;
/** A part with fewer terms of its own is about what the part before is about. */
const LEAST_TERMS = 2;

/** A part of a question, and how it is looked for. */
interface QuestionPart {
  /** In the words of the question. */
  asked: string;
  /** With the subject that it only points to. */
  about: string;
}

/** The parts of a question that can be looked for one by one, each with the subject that it is about. */
export function subquestionsOf(question: string): string[] {
  return questionPartsOf(question).map(({ about }) => about);
}

/** The words of a question for each of its parts, by what is looked for. */
export function wordingsOf(question: string): ReadonlyMap<string, string> {
  return new Map(questionPartsOf(question).map(({ asked, about }) => [about, asked]));
}

/** A head whose questions follow behind a colon: they are about it, not about each other. */
const HEAD = /^[^:?.;]+:\s/;

/** The parts of a question: its clauses that ask something, each with the subject that it only points to. */
export function questionPartsOf(question: string): QuestionPart[] {
  const clauses = clausesOf(question).filter(({ text }) => text !== '');
  const meant: QuestionPart[] = [];
  const hasHead = HEAD.test(question);
  // What a part points to is named by the nearest one before it that names its subject itself.
  let named = '';
  for (const { text, core } of clauses) {
    const [last] = meant.slice(-1);
    // In which versions something was done is told with what was done.
    if (last !== undefined && OF_VERSIONS.test(text)) {
      meant[meant.length - 1] = { asked: `${last.asked}, ${text}`, about: `${last.about}, ${text}` };
      continue;
    }
    const whole = meant.length === 0 ? text : nameSubject(text, named);
    if (meant.length === 0 || (whole === text && !hasHead)) named = core;
    meant.push({ asked: text, about: whole });
  }
  const whole = meant.filter(({ asked, about }) => isBareAsking(asked) || termsOf(about).length > 0);
  return whole.length < 2 ? [{ asked: question.trim(), about: question.trim() }] : whole.slice(0, MOST);
}

/** What asks about all that was said before: `and why?`, `since which version?`, `by whom?` */
const BARE =
  /^(?:(?:since|in|from|by|for|at|until|with|under|after)\s+)?(?:how|what|why|when|where|which|who|whom)(?:\s+(?:exactly|else|not|long|often|many|much|far|versions?|releases?|conditions?|circumstances|reasons?|whom))*(?:,?\s+and\s+(?:(?:since|in|by|for)\s+)?(?:how|what|why|when|where|which|who|whom)(?:\s+(?:long|often|versions?|releases?))?)?\W*$/i;
const OF_VERSIONS = /^(?:in|by|as of) (?:which|what) (?:versions?|releases?)\W*$/i;
/** What is said before as a whole, which somebody does or which is done: `who decided that`, `how do I change that`, `can that be done`. */
const OF_ALL =
  /^(?:\w+\s+){1,6}(?<!\b(?:with|of|to|about|for|in|on|tune|has|have|is|was)\s)(?:that|this|then)\W*$|\b(?:can|could|may|must|should|was|were|is|did)\s+(?:that|this)\s+(?=be\b|\w{2,}ed\b|not\b|done\b|decided\b)/i;

function isBareAsking(part: string): boolean {
  return BARE.test(part);
}

/** What stands for the subject of the part before. */
const PRONOUN =
  /\b(?:it|its|them|they|their|these|those|ones)\b|\bone\b(?=\s+(?:is|was|gets?|has|fails?|breaks?)\b)|\bthat(?=\s*\??$|\s+(?:change|come|develop|evolve|happen|work)\w*\b)|(?<=\b(?:did|does|do|is|are|was|has)\s)that(?=\s+\w+\W*$)/i;
/** Something that is named, of what was spoken of: `that trust check`. */
const POINTS_BACK = /\b(?:that|this|those|these)\s+\w+\s+\w/i;
/** What is done to a subject: `refunds paid by card`, without which the subject stays. */
const DONE_TO = /^(\S+(?:\s+\S+){0,3}?)\s+(?:\w{2,}ed|sent|kept|built|held|found|made|read|written|run|paid)\b.*$/i;
/** What becomes of a thing is asked of what the part before tells. */
const HAPPENS = /^what happens (?:to|with)\b/i;
/** A subject with what is done to it, and where or with what. */
const WITH_ADVERBIAL =
  /^(\S+(?:\s+\S+){0,3}?\s+(?:\w{2,}ed|sent|kept|built|held|found|made|read|written|run|paid))\s.*$/i;
/** What is pointed to within a part has its own doing there: `how did embedding them change?` */
const POINTS_WITHIN = /\b(?:their|them|it|that)\s+(?!over\b|(?:has|have|was|were)\b)\w/i;
/** A question about what is done to something. */
const PASSIVE = /^(?:how|when|where|why)\s+(?:is|are|was|were|(?:can|may|must)\b[^?]*\bbe)\b/i;
/** What only leads to a subject: `the tool protects against a queue`, `trade-offs between the choices of a queue`. */
const LEADING =
  /^(?:(?:library|tool|program|project|service)\s+\w+(?:s|\s+(?:with|against|for))?\s+|(?:(?:different\s+|various\s+|possible\s+|available\s+)*(?:trade-offs?|choices?|kinds?|types?|sorts?|support)\s+(?:of|between|for)\s+)+)/i;
/** What is said beside a subject, and what is asked of it behind it. */
const BESIDE = /\s*\([^)]*\)|,(?=(?:[^`]*`[^`]*`)*[^`]*$).*$|\s+decides?\b.*$/g;
const ASKED_OF = /\s+(?:mean|develop|run|work|come (?:about|in)|differ)s?\W*$/i;
/** What became of a subject is asked of it, too. */
const BECOME = /\s+(?:fixed|removed|deprecated|replaced|introduced|added)\W*$/i;
const TAKES = /^\W*what would it take to \w+/i;
/** Where a subject is: without it the subject stays when it has words enough. */
const WHERE = /^(.*?)\s+(?:in|on|at|of|between|with|from|for|during|inside)\s.*$/i;
/** What is done, or has to be done, to whatever a part is about, and what speaks of it: no subject of its own. */
const NO_SUBJECT =
  /\b(?:has|have|need|needs|must)\s+(?:to\s+)?(?:be\s+)?\w+|\b(?:fixed|removed|deprecated|replaced|added|introduced|reported|remains?|remained|along the way|several|over (?:the )?(?:time|years)|tests|docs|(?:any|every|some)(?:body|one|thing)|(?:recommended|usual|best|old|new|default) (?:way|behaviou?r|method)s?|afterwards|instead|then|supported|chosen|available|possible|offered|used|there|(?:get|have|bring|gets?) (?:\w+ ){0,4}back)\b/gi;
/** What speaks of it, and what of it is asked there. */
const OF_TEXTS = /\b(?:documentation|limitations|caveats|mention(?:s|ed)?|still)\b/gi;

/** `is it there`, `was it added`: all that was said. */
const IS_THERE = /\b(?:is|was|are|were|did|has|have)\s+(?:it|they|that|this)\b/i;

/** A part that only points to the subject of the one before, with what that one asks of. */
function nameSubject(part: string, before: string): string {
  if (isBareAsking(part)) return `${part.replace(/\W+$/, '')} ${predicateOf(before)}?`;
  if (OF_ALL.test(part) && !asks('history', part)) return part.replace(/\b(?:that|this|then)\b/i, predicateOf(before));
  const topic = leadingSubject(inOneWord(before));
  // What changed about it is what is done to the subject.
  const isOfDoing = asks('history', part) && !POINTS_WITHIN.test(part);
  const isOfBeginning =
    asks('beginning', part) && !asks('why', part) && (isOfDoing || (asks('history', part) && IS_THERE.test(part)));
  const subject = isOfBeginning
    ? topic
    : !PASSIVE.test(before)
      ? withoutPlace(topic)
      : isOfDoing
        ? topic.replace(WITH_ADVERBIAL, '$1')
        : topic.replace(DONE_TO, '$1');
  if (PRONOUN.test(part) && hasSubject(part)) return part.replace(PRONOUN, subject);
  // "What do users say?", "what is logged?" and "what problems are known?" say of nothing in particular what they are about.
  const said = part.replaceAll(NO_SUBJECT, ' ');
  const own = new Set(partsOf(hasTopic(said) ? topicOf(said).replaceAll(OF_TEXTS, ' ') : ''));
  const isBare = own.size < LEAST_TERMS;
  const isOfBefore = partsOf(`${subject} ${topicOf(before)}`).some((term) => own.has(term));
  const pointsBack = POINTS_BACK.test(part.replace(PRONOUN, ' '));
  return !hasSubject(part) || ((isBare || pointsBack || HAPPENS.test(part)) && !isOfBefore)
    ? `${part.replace(/\?$/, '')} ${subject}?`
    : part;
}

/** All that a part says, without what asks. */
function predicateOf(part: string): string {
  return topicOf(part.replaceAll(/\s*\([^)]*\)/g, '')).replace(/^(?:(?:I|we|you|one|it)\s+)+/i, '');
}

/** What a part asks about, without what only leads to it: `How does live reload in the server work?` → live reload in server. */
function leadingSubject(part: string): string {
  const plain = part.replaceAll(BESIDE, '').replace(ASKED_OF, '').replace(TAKES, ' ');
  const topic = topicOf(plain === '' ? part : plain);
  const subject = topic.replace(LEADING, '').replace(BECOME, '');
  return hasTopic(subject) ? subject : topic;
}

/** A subject without where it is, when it has words enough without. */
function withoutPlace(subject: string): string {
  const short = subject.replace(WHERE, '$1');
  const noun = short.replace(ASKED_OF, '');
  return new Set(partsOf(short)).size < LEAST_TERMS ? subject : noun;
}
