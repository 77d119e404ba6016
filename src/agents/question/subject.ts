import { termsOf } from '../../kernel/terms.ts';
import { withVerbs } from './word-forms.ts';

/** Words that only make a question one about a product: texts are not searched for them. */
const FRAME =
  /\b(?:what|which|who|how many|how much|how far|how long|since when|when|do|does|did|is|are|was|were|have|has|had|our|we|us|customers?|users?|people|clients?|any(?:one|body|thing)|some(?:one|body)|ever|so far|yet|say|says|said|saying|think|want|wants|wanted|ask(?:s|ed|ing)?(?: for)?|complain(?:s|ed|ing)?|complaints?|feedback|request(?:ed|ing)?|opinions?|pain points?|need(?:s|ed)?|about|concern(?:s|ing)?|regarding|the|a|an|any|it|them|most|more|biggest|main|top|(?:most )?(?:common|frequent|often)|there|known|report(?:s|ed|ing)?|mention(?:s|ed|ing)?|plan(?:s|ned)?|roadmap|decisions?|decided?|competitors?)\b/gi;

/** Ways to ask how far a plan is, and what it is for: none of it is what the plan is about. */
const FRAME_OF_PLANS =
  /\b(?:cover(?:s|ed|ing)?|address(?:es|ed)?|open|left|remain(?:s|ing)?|missing|still|finished|complete[d]?|done|status|progress|milestones?|work items?|next|part of it|of it)\b/gi;

/** Ways to ask what people outside say, which nothing but their signals can answer. */
const VOICES =
  /\b(?:customers?|users?|clients?|players?|reviewers?|people|any(?:one|body))\b[^?.]*\b(?:say(?:s|ing)?|said|wants?|ask(?:s|ed|ing)?|complain\w*|needs?|request\w*|think|report\w*|(?:dis)?like|love|enjoy|hate|mention\w*|(?:un)?happy|(?:have|having|had) (?:trouble|problems|issues|difficult\w+)|struggl\w+)\b|\b(?:feedback|complaints?|feature requests?|pain points?)\b|^who (?:asks? for|asked for|wants?|wanted|complains?|complained)\b|\b(?:reviews?|signals?|tickets?)\s+(?:mention|say|complain|speak|are about)|\b(?:talk|reports?)\s+(?:are\s+)?about\b/i;

/** Customers by what a product calls them, who say something: `riders` of `What do riders complain about?` */
const CALLED =
  /(?<=\b(?:do|did|have|that|which|what|how many)\s+(?:the\s+|our\s+)?)(?!(?:docs|documents|pages|plans|decisions|commits|files|tests|competitors|comments|rules)\b)[a-z]{3,}s(?=\s+(?:say|said|think|feel|complain|(?:dis)?like|love|hate|want|ask|asked|mention|report)\b)/gi;
/** What only people do; parsers report, and handlers ask for something. */
const OF_PEOPLE = /^\s+(?:think|feel|complain|(?:dis)?like|love|hate)\b|^\s+(?:say|said)\s+(?:about|of)\b/i;

/** What the code does for one of them: `How does a client request a page?` */
const OF_CODE = /^\W*how\s+(?:does|is|was|can)\s+(?:an?|the|each|every)\s+(?:customer|user|client)\b/i;

/** The words of a question that say what it is about; all of them when none is left. */
export function subjectOf(words: string): string {
  const subject = withoutFrame(words);
  return (termsOf(subject).length > 0 ? subject : words).slice(0, 1000);
}

/** Whether a question says what it is about; one that does not asks for all there is. */
export function hasSubject(words: string): boolean {
  return termsOf(withoutFrame(words)).length > 0;
}

/** The same of a question about what customers say: who says it and how they find it is no subject. */
export function hasSubjectOfVoices(words: string): boolean {
  return termsOf(withoutFrameOf(words.replace(CALLED, ' ').replace(OF_VOICES, ' '))).length > 0;
}

/** Whether a question asks what customers say. */
export function asksCustomers(words: string): boolean {
  return (VOICES.test(words) || isCalled(words)) && !OF_CODE.test(words);
}

function isCalled(words: string): boolean {
  return [...words.matchAll(CALLED)].some((found) => OF_PEOPLE.test(words.slice(found.index + found[0].length)));
}

/** What customers say is of a kind, which is no subject where there is another one; nor are these. */
const KIND = /\b(?:app|(?:feature )?requests?|why|being|problems?|troubles?|issues|difficult(?:y|ies))\b/gi;

/**
 * Who says something and in what, how they find it, and whether it becomes more: no subject either, and where nothing else is left all
 * there is is asked for. What stands behind `about` is one: `What do people say about reviews?`
 */
const OF_VOICES =
  /(?<!\b(?:about|with|on|regarding)\s(?:the\s)?)\b(?:players|reviewers|reviews|signals|tickets|talk(?:s|ed|ing)?|speak(?:s|ing)?|(?:would )?(?:dis)?likes?|loves?|enjoys?|hates?|(?:un)?happy|(?:main |biggest )?problems?|rising|rises?|increas(?:e|es|ed|ing)|grow(?:s|ing)?|declin(?:e|es|ing)|going (?:up|down)|(?:(?:getting|becoming) )?(?:worse|better|more (?:often|frequent|common))|more and more|lately|recently)\b/gi;

/** Whether a question asks for praise or for complaints; undefined when it asks for both or for anything. */
export function toneAsked(words: string): 'positive' | 'negative' | undefined {
  if (!asksCustomers(words)) return undefined;
  const isWish = /\bwould\b[^?]*\blike\b/i.test(words);
  const isPraise = !isWish && /\b(?:likes?|loves?|enjoys?|praises?|appreciates?|happy)\b/i.test(words);
  const isBlame = /\bcomplain\w*|\b(?:dislikes?|hates?|unhappy|pain points?|problems?)\b/i.test(words);
  return isPraise === isBlame ? undefined : isPraise ? 'positive' : 'negative';
}

/** Whether a question asks if something is said more and more. */
export function asksTrend(words: string): boolean {
  return /\b(?:rising|increas\w+|growing|declin\w+|going (?:up|down)|more (?:and more|often|frequent|common)|(?:getting|becoming) (?:worse|better)|trend\w*)\b/i.test(
    words,
  );
}

function withoutFrame(words: string): string {
  const narrow = withoutFrameOf(words.replace(CALLED, ' ').replace(OF_VOICES, ' '));
  return termsOf(narrow).length > 0 ? narrow : withoutFrameOf(words);
}

function withoutFrameOf(words: string): string {
  // The United States are a subject.
  const said = words.replace(CALLED, ' ').replace(FRAME, (word) => (word === 'US' ? word : ' '));
  const narrow = said.replace(FRAME_OF_PLANS, ' ');
  const rest = PLANS.test(words) && termsOf(narrow).length > 0 ? narrow : said;
  const subject = rest.replace(KIND, ' ');
  return (termsOf(subject).length > 0 ? subject : rest)
    .replaceAll(/[?!.]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** What makes words a question, and says nothing of what is asked for. */
const ASKING: readonly RegExp[] = [
  /\b(?:what|which)\s+(?:do|does|did)\s+(?:the\s+)?(?:docs?|documentation|readme|manual|guide|code)\s+(?:say|tell|explain|describe)s?\s+(?:(?:users?|people|readers)\s+)?(?:to do\s+)?(?:about|of|on)\b/gi,
  /\bwhat\s+(?:is|was)\s+known\s+(?:about|of)\b/gi,
  /\b(?:what|which\s+\w+)\s+(?:has\s+|have\s+)?(?:changed|happens?|happened)\b/gi,
  /\bhow (?:long|often|many|much)\b/gi,
  /\b(?:(?:what|which) (?:is|was|are|were)\s+)?documented(?: (?:about|of|on|for))?\b|\b(?:according to|in|by) the (?:docs?|documentation|readme|manual)\b|\b(?:came?|come) (?:about|in)\b|\balong the way\b|\bwould it take to\b|\bbetween (?:\w+ )?versions\b/gi,
  /\b(?:over (?:the )?(?:time|years)|since when|for what)\b/gi,
  /\b(?:how|why|when|where|whether|what|which|who|whom|whose|do|does|did|known?|knows|knew|best|(?:in|of|does|by) the code)\b/gi,
  /\b(?:is|are|was|were|be|been|has|have|had|can|could|should|there|the|a|an|any)\b/gi,
  /\b(?:works?|working|worked|exists?|differs?|differences?|done|happens?|decides?|find|show|explain|describe|tell|problems?|issues?|complaints?)\b/gi,
];

/** Of those the first ones name what is asked: the rest says how, which a search for code may go by. */
const NAMING = 6;

/** A question as code is searched for it: without what only names documents, knowledge or changes, and with the verbs of its forms. */
export function codeWordsOf(words: string): string {
  const rest = ASKING.slice(0, NAMING).reduce((text, pattern) => text.replaceAll(pattern, ' '), words);
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
  const asked = asksCustomers(words) ? withoutFrame(words) : words;
  return ASKING.reduce((text, pattern) => text.replaceAll(pattern, ' '), asked)
    .replaceAll(/[?!.,;:]+(?=\s|$)/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/^(?:about|of|on|in|for|with)\s+/i, '');
}

/** Changes that were made. What changes something now, or happens when it changes, is told by its present state. */
const BECAME =
  /\b(?:what(?! happens)|which)\b[^?]*\bchanged\b|\bwhich (?:\w+ )?changes\b|\bwhat changes (?:were|was|have|has|did|came|happened|concern)\b|\bhow (?:has|have|did)\b[^?]*\b(?:changed?|evolved?|develop(?:ed)?|(?:come|came) (?:about|in|to be))\b|\b(?:why|when|how)\s+(?:was|were|did|has|have)\b[^?]*\b(?:replaced?|removed?|dropped?|introduced?|deprecated?|renamed?|rewritten|fixed|come (?:about|in))\b|\b(?:what|which)\b[^?]*\b(?:has|have|was|were)\b[^?]*\b(?:deprecated|removed|dropped|fixed|replaced)\b/i;

/** Whether a question asks what became of something, which its present state does not say. */
export function asksHistory(words: string): boolean {
  return BECAME.test(words) || /\bover (?:the )?(?:time|years)\b|\bhistory of\b|\bsince when\b/i.test(words);
}

/** Whether a question asks how something that is there came in. */
export function asksBeginning(words: string): boolean {
  return /\b(?:why|when)\b[^?]*\b(?:introduced?|added|created|(?:come|came) in)\b/i.test(words);
}

/** What asks what became of a subject, and is none. */
const BECOMING =
  /\b(?:changed?|evolved?|develop(?:ed)?|introduced?|added|created|versions?|releases?|the way|(?:come|came) (?:about|in))\b/gi;

/** The words of a question for what became of something; all of its topic when none is left. */
export function becameOf(words: string): string {
  const topic = topicOf(words);
  const subject = topicOf(topic.replaceAll(BECOMING, ' '));
  return hasTopic(topic.replaceAll(BECOMING, ' ')) ? subject : topic;
}

const PLANS = /\b(?:plans?|planned|roadmap|decisions?|decided|we decide|why (?:do|did|have) we)\b/i;

/** Whether a question asks first what is planned or decided, and then, if at all, what customers say. */
export function asksPlans(words: string): boolean {
  const [plans, voices] = [words.search(PLANS), asksCustomers(words) ? words.search(VOICES) : -1];
  return plans !== -1 && (voices === -1 || plans < voices);
}

/** Whether a question asks first what was decided, or why. */
export function asksReason(words: string): boolean {
  return /\b(?:why|decisions?|decided?|reasons?)\b/i.test(words);
}

/** Whether a question asks since when something is said. */
export function asksSince(words: string): boolean {
  return /\bsince when\b|\bhow long have\b|\bwhen did (?:customers?|users?|people|clients?|any(?:one|body)) (?:first|start|begin)\b/i.test(
    words,
  );
}

/** Whether a question asks only what is written in documents. */
export function asksDocuments(words: string): boolean {
  return /^what\b[^?]*\b(?:docs?|documentation|readme|manual|guide)\b[^?]*\b(?:says?|tells?|explains?|describes?)\b|\bdocumented\b|\baccording to the (?:docs?|documentation|readme|manual|guide)\b|^what\b[^?]*\bin the (?:\w+ )?(?:docs?|documentation|readme|manual|guide)\b|\b(?:what|which)\s+(?:known\s+)?(?:limitations|caveats)\b|\bknown limits\b|^what\s+is\s+(?:said|told|explained|described)\s+in\s+the\s+(?:docs?|documentation|readme|manual|guide)\b/i.test(
    words,
  );
}

/** Whether a question asks what became of something, since when, or why: what was done answers it. */
export function asksPast(words: string): boolean {
  return asksHistory(words) || asksSince(words) || asksWhy(words);
}

/** Whether a question asks for the reason of something. How the code decides is told by the code, what was decided by decisions. */
export function asksWhy(words: string): boolean {
  return /\bwhy\b|\brationale\b|\breasons? (?:for|that|behind|why)\b/i.test(words);
}

/** Whether a question asks what a thing does not do, or only under a condition. */
export function asksLimits(words: string): boolean {
  return /\b(?:limitations?|caveats?|known limits|restrictions)\b/i.test(words);
}

/** What names texts, and what of a subject is asked there. */
const OF_TEXTS =
  /\b(?:documentation|docs?|readme|manual|limitations?|caveats?|limits|restrictions|says?|mention(?:s|ed)?|remain\w*|still)\b/gi;

/** The words that an answer to a question has: its topic, without what only asks what became of it or what is written of it. */
export function soughtOf(words: string): string {
  const topic = asksPast(words) ? becameOf(words) : topicOf(words);
  const rest = asksDocuments(words) ? topic.replaceAll(OF_TEXTS, ' ') : topic;
  return (hasTopic(rest) ? topicOf(rest) : topic).replace(/^(?:(?:and|or|that|this|these|those)\s+)+/i, '');
}
