import { isAbbreviation } from '../../kernel/abbreviations.ts';
import { termsOf } from '../../kernel/terms.ts';
import { topicOf } from './topic.ts';

/** What a question wants to know. */
const INTENTS = ['owner', 'impact', 'usage', 'when', 'compare', 'change', 'why', 'locate', 'list', 'explain'] as const;
type Intent = (typeof INTENTS)[number];

/** A question in words, taken apart. */
export interface AskedQuestion {
  words: string;
  intent: Intent;
  /** Identifiers and paths that it names, as they are written, each once. */
  names: readonly string[];
  /** Distinct terms as the index has them. */
  terms: readonly string[];
}

/** Who knows or owns something. */
const OWNER =
  /\bwho\b.*\b(?:knows?|owns?|wrote|written|maintains?|responsible|works?|worked|reviews?|ask)\b|\bowners?\b|\bmaintainers?\b/i;

/** The first that fits decides. */
const PATTERNS: readonly (readonly [Intent, RegExp])[] = [
  ['owner', OWNER],
  ['when', /\bwhen\s+(?:was|were|did|has)\b|\bsince when\b|\blast (?:changed|touched)\b|\bhistory of\b/i],
  ['compare', /\b(?:differences? between|compared?|versus|vs|differs?)\b/i],
  ['why', /\bwhy\b|\brationale\b|\breasons? (?:for|that|behind)\b/i],
  [
    'impact',
    /\b(?:impact|affect(?:s|ed)?|breaks?|blast radius|what happens (?:if|when) (?:i|we|you|one)\b.*\b(?:change|remove|delete|rename|drop)|safe to (?:change|remove|delete|rename|drop))\b/i,
  ],
  [
    'usage',
    /\b(?:callers?|usages?|references) of\b|\b(?:who|what(?! happens)|which|where)\b[^?]*\b(?:calls?|called|uses|used|invoked|imports?)\b/i,
  ],
  [
    'change',
    /\bhow\s+(?:to|can|could|do|would|should)\b.*\b(?:add|change|extend|refactor|introduce|replace|support|redesign|modify|rewrite|migrate)\b/i,
  ],
  ['locate', /\bwhere\b|\b(?:which|what) (?:file|function|method|class|module)\b|^(?:find|locate)\b/i],
  ['list', /^(?:list|enumerate|show all|what are (?:all )?the|which)\b/i],
];

/** Words in backticks; calls; paths; identifiers of several humps or with `_`; dotted names that are no end of a sentence. */
const NAMES =
  /`([^`\n]{2,120})`|([\w$./-]*[\w$-]\.(?:[a-z]{1,4}|[a-z]+x))\b(?!\()|([\w$]+(?:(?:\.|::|#|\/)[\w$]+)*)\(\)|\b([A-Za-z_$][\w$]*(?:(?:\.|::|#)[A-Za-z_$][\w$]*)+)|\b(_*[a-z\d]+(?:_+[a-z\d]+)+_*|__\w+__|[A-Z][A-Z\d]*_[A-Z\d_]+|[a-z]+(?:[A-Z][a-z\d]*)+|[A-Z][a-z\d]+(?:[A-Z]+[a-z\d]*)+|[A-Z]{2,}[a-z][A-Za-z\d]*)\b/g;
/** A capitalised word that a question calls a part of the code: `the Result class`. */
const KIND_NAMED =
  /(?<=\s)([A-Z][\w$]*)\s+(?:class|struct|interface|trait|enum|type|function|method|module|component|protocol)\b/g;
/** Capitalised words that a question compares: `the difference between Route and Filter`. */
const COMPARED = /\b(?:between|compare)\s+`?([A-Z][\w$]*)`?\s+(?:and|with|to)\s+`?([A-Z][\w$]*)/g;
const MOST_NAMES = 6;

/** Takes a question apart. Pure: nothing is looked up. */
export function parseQuestion(text: string): AskedQuestion {
  const words = text.trim();
  return {
    words,
    intent: PATTERNS.find(([, pattern]) => pattern.test(words))?.[0] ?? 'explain',
    names: namesIn(words),
    terms: [...new Set(termsOf(topicOf(words)))],
  };
}

function namesIn(words: string): string[] {
  const found = [...words.matchAll(NAMES)].map((match) => match.slice(1).find((part) => part !== undefined) ?? '');
  found.push(...[...words.matchAll(KIND_NAMED)].map(([, name = '']) => name));
  found.push(...[...words.matchAll(COMPARED)].flatMap(([, left = '', right = '']) => [left, right]));
  const clean = found.map((name) => name.replace(/\(.*\)$/, '').replaceAll(/^[./]+|[.,;:]+$/g, ''));
  return [...new Set(clean)]
    .filter((name) => name.length > 1 && !/\s/.test(name) && !isAbbreviation(name))
    .slice(0, MOST_NAMES);
}
