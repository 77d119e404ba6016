import { termsOf } from '../../kernel/terms.ts';
import { asks, asksPast } from './kinds.ts';
import { withoutFrame } from './subject.ts';
import { withVerbs } from './word-forms.ts';

/** What names the kind of an answer, and nothing of what it is about: neither code nor texts are searched for it. */
const KIND_NAMED: readonly RegExp[] = [
  /\b(?:what|which)\s+(?:do|does|did)\s+(?:the\s+)?(?:docs?|documentation|readme|manual|guide|code)\s+(?:say|tell|explain|describe)s?\s+(?:(?:users?|people|readers)\s+)?(?:to do\s+)?(?:about|of|on)\b/gi,
  /\bwhat\s+(?:is|was)\s+known\s+(?:about|of)\b/gi,
  /\b(?:what|which\s+\w+)\s+(?:has\s+|have\s+)?(?:changed|happens?|happened)\b/gi,
  /\bhow (?:long|often|many|much)\b/gi,
  /\b(?:(?:what|which) (?:is|was|are|were)\s+)?documented(?: (?:about|of|on|for))?\b/gi,
  /\b(?:according to|in|by) the (?:docs?|documentation|readme|manual)\b/gi,
  /\b(?:came?|come) (?:about|in)\b|\balong the way\b|\bwould it take to\b|\bbetween (?:\w+ )?versions\b/gi,
  /\b(?:over (?:the )?(?:time|years)|since when|for what|(?:since|in|from|as of|by) (?:which|what) (?:versions?|releases?))\b/gi,
  /\b(?:did each|do I have to|have to|what else|afterwards|instead|and why)\b/gi,
];

/** What only makes words a question. A search for code may go by it: it says how something is asked. */
const ASKING: readonly RegExp[] = [
  /\b(?:how|why|when|where|whether|what|which|who|whom|whose|do|does|did|known?|knows|knew|best|(?:in|of|does|by) the code)\b/gi,
  /\b(?:is|are|was|were|be|been|has|have|had|can|could|should|would|must|there|the|a|an|any|I|we|you|one)\b/gi,
  /\b(?:works?|working|worked|exists?|differs?|differences?|done|happens?|decides?|find|show|explain|describe|tell|problems?|issues?|complaints?)\b/gi,
];

/** A question as code is searched for it: without what only names documents, knowledge or changes, and with the verbs of its forms. */
export function codeWordsOf(words: string): string {
  const rest = without(KIND_NAMED, words);
  return withVerbs(termsOf(rest).length > 0 ? rest.replaceAll(/\s+/g, ' ').trim() : words);
}

/** A question without the words that only ask: `How does the retry of mails work?` → retry of mails. All of its words when none is left. */
export function topicOf(words: string): string {
  const topic = withoutAsking(words);
  return termsOf(topic).length > 0 ? topic : words;
}

/** Whether a question has words that do not only ask: `What problems are known?` has none. */
export function hasTopic(words: string): boolean {
  return termsOf(withoutAsking(words)).length > 0;
}

function withoutAsking(words: string): string {
  // What customers do to a subject is no subject; in code there are customers too.
  const asked = asks('customers', words) ? withoutFrame(words) : words;
  return without([...KIND_NAMED, ...ASKING], asked)
    .replaceAll(/[?!.,;:]+(?=\s|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:about|of|on|in|for|with)\s+/i, '');
}

function without(patterns: readonly RegExp[], words: string): string {
  return patterns.reduce((text, pattern) => text.replaceAll(pattern, ' '), words);
}

/** What asks what became of a subject, and is none. */
const BECOMING =
  /\b(?:changed?|evolved?|develop(?:ed)?|introduced?|added|created|versions?|releases?|the way|(?:come|came) (?:about|in)|available|supported|possible)\b/gi;

/** The words of a question for what became of something; all of its topic when none is left. */
export function becameOf(words: string): string {
  const topic = topicOf(words);
  const subject = topicOf(topic.replaceAll(BECOMING, ' '));
  return hasTopic(topic.replaceAll(BECOMING, ' ')) ? subject : topic;
}

/** What names texts, and what of a subject is asked there. */
const OF_TEXTS =
  /\b(?:documentation|docs?|readme|manual|limitations?|caveats?|limits|restrictions|says?|mention(?:s|ed)?|remain\w*|still)\b/gi;

/** What people say in several words, and texts in one. */
const IN_ONE_WORD: readonly (readonly [RegExp, string])[] = [
  [/\b(?:tak(?:es?|ing)|took|(?:runs?|lasts?|waits?)(?: for)?|hangs?) (?:far |much )?too long\b/gi, 'timeout'],
  [/\b(?:turn|switch)(?:ed|ing|es|s)?(?: \w+)? off\b/gi, 'disabled'],
  [/\b(?:turn|switch)(?:ed|ing|es|s)?(?: \w+)? on\b/gi, 'enabled'],
  [/\btr(?:y|ied|ies|ying) again\b|\b(?:run|runs|ran) again\b/gi, 'retry'],
  [/\b(?:be|is|are|gets?|was|were) told\b/gi, 'notified'],
  [/\b(?:get|have|bring)\b([^?,]*)\bback\b/gi, 'restore$1'],
  [/\b(?:got|get|gets|getting) rid of\b/gi, 'remove'],
];

/** A question with the one word for what it says in several. */
export function inOneWord(words: string): string {
  return IN_ONE_WORD.reduce((text, [said, word]) => text.replaceAll(said, word), words);
}

/** The words that an answer to a question has: its topic, without what only asks what became of it or what is written of it. */
export function soughtOf(words: string): string {
  const said = inOneWord(words);
  const topic = asksPast(words) ? becameOf(said) : topicOf(said);
  const rest = asks('documents', words) ? topic.replaceAll(OF_TEXTS, ' ') : topic;
  return (hasTopic(rest) ? topicOf(rest) : topic).replace(/^(?:(?:and|or|that|this|these|those)\s+)+/i, '');
}
