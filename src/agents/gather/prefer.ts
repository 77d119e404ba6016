import { isTestPath } from '../../languages/languages.ts';
import { identifierParts, stem, termsOf } from '../../kernel/terms.ts';
import type { TermWeights } from '../question/term-weights.ts';
import { rootOf } from '../question/word-forms.ts';
import type { AskedQuestion } from '../question/question.ts';
import type { CodePlace } from './code.ts';

/** Hits among which the order may change. */
const NEAR_FIRST = 12;
/** What is left of the score of a hit whose name has no word of the question; who knows something is told of a file that bears its name. */
const UNNAMED = 0.6;
const UNNAMED_FILE = 0.25;
/** A name that has this part of a question's weight, turned round, has all that a name can. */
const MOST_NAMED = 1.5;
/** How much of a word's weight a place has by its file, and by its folder and type; a name that begins with the word has less too. */
const IN_FILE = 0.6;
const IN_FOLDER = 0.4;
const AS_BEGINNING = 0.8;
/** A shorter word begins too many others. */
const SHORTEST_BEGINNING = 4;
/** What is left of the score for each reason why another place is more likely meant. */
const STANDING = {
  declaration: 0.7,
  /** How things are copied, compared and printed is not what they do. */
  common: 0.35,
  constructor: 0.6,
  /** Asked how something works, a line that sets or gives a value says little. */
  short: 0.75,
  otherKind: 0.5,
  /** A line that gives or sets a value is rarely how something works, or where it is done. */
  accessor: 0.4,
  aside: 0.2,
  text: 0.4,
} as const;

/**
 * The first hits with those in front whose own name, or the name of their file, has the words of the question: a question is asked
 * about what something does, and the class around a place says that of all its methods alike. Rare words count most.
 */
export function preferNamed(
  hits: readonly CodePlace[],
  { weights, question: { words, intent } }: { weights: TermWeights; question: Pick<AskedQuestion, 'words' | 'intent'> },
): CodePlace[] {
  const isOfFile = intent === 'owner';
  const shares = isOfFile ? { own: IN_FILE, file: 1 } : { own: 1, file: IN_FILE };
  const unnamed = isOfFile ? UNNAMED_FILE : UNNAMED;
  const worth = new Map(
    hits.slice(0, NEAR_FIRST).map((hit) => {
      const named = unnamed + (1 - unnamed) * Math.min(1, MOST_NAMED * shareInName(hit, { weights, shares }));
      // Scores of one list differ by orders of magnitude: the root keeps the order and lets what a name says count.
      return [hit, Math.sqrt(hit.score) * named * standingOf(hit, { words, intent })];
    }),
  );
  const first = [...worth].toSorted(([, a], [, b]) => b - a).map(([hit]) => hit);
  return [...first, ...hits.slice(NEAR_FIRST)];
}

/** The share of the weight of a question that the name of a place and of its file have, 0..1. */
export function shareInName(
  { symbol, path }: Pick<CodePlace, 'symbol' | 'path'>,
  { weights, shares }: { weights: TermWeights; shares: { own: number; file: number } },
): number {
  const [name = '', ...holders] = symbol.split('/').toReversed();
  const [base = '', folder = ''] = path.split('/').toReversed();
  const own = identifierParts(name);
  const file = identifierParts(base.replace(/\.\w+$/, ''));
  const around = identifierParts([folder, ...holders].join(' '));
  let all = 0;
  let named = 0;
  for (const [term, weight] of weights) {
    all += weight;
    named +=
      weight *
      Math.max(
        shares.own * likeness(term, own),
        shares.file * likeness(term, file),
        IN_FOLDER * likeness(term, around),
      );
  }
  return named / (all || 1);
}

/** 1 when a name has a term, less when a part of it begins or ends with it: `crontab` is asked for as cron, `enqueue` as queue. */
function likeness(term: string, parts: readonly string[]): number {
  if (parts.some((part) => rootOf(stem(part)) === term)) return 1;
  const isPart = (part: string): boolean => part.startsWith(term) || stem(part).endsWith(term);
  return term.length >= SHORTEST_BEGINNING && parts.some(isPart) ? AS_BEGINNING : 0;
}

const COMMON_NAMES =
  /^(?:__(?:repr|str|eq|hash|len|iter)__|to_?(?:string|json)|hash_?code|equals|clone|(?:deep_?)?copy|string|error|len|less|swap|(?:un)?marshal\w*)$/i;
const CONSTRUCTORS = /^(?:constructor|__(?:init|new)__|initialize|init)$/i;
const ACCESSORS = /^(?:get|set|is|has|with|update)(?:[A-Z_]|$)/;
const LONGEST_ACCESSOR = 12;
/** `get limit()` of JavaScript, `@property` of Python. */
const WRITTEN_AS_ACCESSOR =
  /^\s*(?:(?:public|protected|private|static|override)\s+)*(?:get|set)\s+#?[\w$]+\s*\(|^\s*@(?:property|\w+\.setter)\b/;
const ASKED_FOR_WORK: ReadonlySet<string> = new Set(['explain', 'locate', 'why']);
const SHORTEST_BODY = 4;
const VALUES = /^(?:property|variable|constant|field)$/;
const PLACES_ASIDE = /(?:^|\/)(?:fixtures|_?examples?|samples?|demos?|bench(?:mark)?s?|completions?|scripts)\//i;
/** Tests that stand in the file that they test, in a module of their own or called as such. */
const TEST_MODULE = /^(?:.*\/)?tests?\/|(?:^|\/)test_\w+$/;
const WORDS_ASIDE = /\b(?:test|spec|fixture|example|sample|demo|benchmark|completion|script)/i;

/** What a question asks for by kind, and the kinds that are such. */
const KINDS: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:which|what) (?:function|method)s?\b/i, /^(?:function|method|constructor)$/],
  [
    /\b(?:which|what) (?:class|type|struct|interface)(?:es|s)?\b/i,
    /^(?:class|struct|interface|type|trait|enum|object)$/,
  ],
];

/** Whether a symbol is called as what gives or sets a value is. */
export function isAccessor(symbol: string): boolean {
  return ACCESSORS.test(ownName(symbol));
}

/** Whether a symbol makes what it is a member of. */
export function isConstructor(symbol: string): boolean {
  const own = ownName(symbol);
  return CONSTRUCTORS.test(own) || symbol.split('/').at(-2) === own;
}

function ownName(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('/') + 1).replace(/\(.*$/, '');
}

/** Whether a question asks for tests, examples or scripts. */
export function asksForAside(words: string): boolean {
  return WORDS_ASIDE.test(words);
}

/** Whether a file is a test, an example or a script: it uses what is asked for. */
export function isAside(path: string): boolean {
  return PLACES_ASIDE.test(path) || isTestPath(path);
}

/** What kind of place a hit is says how much of its score is left. */
function standingOf(hit: CodePlace, { words, intent }: Pick<AskedQuestion, 'words' | 'intent'>): number {
  const { symbol, path, kind, body } = hit;
  const own = ownName(symbol);
  const lines = body.trim().split('\n').length;
  const reasons: Record<keyof typeof STANDING, boolean> = {
    declaration: /^(?:method|function)$/.test(kind) && lines === 1,
    common: COMMON_NAMES.test(own) && !termsOf(words).includes(stem(own.toLowerCase())),
    constructor: isConstructor(symbol),
    short: intent === 'explain' && (VALUES.test(kind) || lines < SHORTEST_BODY),
    accessor:
      ASKED_FOR_WORK.has(intent) &&
      (WRITTEN_AS_ACCESSOR.test(body) || ((VALUES.test(kind) || isAccessor(symbol)) && lines < LONGEST_ACCESSOR)),
    otherKind: KINDS.some(([asked, kinds]) => asked.test(words) && !kinds.test(kind)),
    aside: (isAside(path) || TEST_MODULE.test(symbol)) && !asksForAside(words),
    text: isText(hit),
  };
  const held = (Object.keys(STANDING) as (keyof typeof STANDING)[]).filter((reason) => reasons[reason]);
  return held.reduce((left, reason) => left * STANDING[reason], 1);
}

/** Whether a place is text and no code. */
export function isText({ path }: Pick<CodePlace, 'path'>): boolean {
  return /\.(?:md|mdx|rst|txt|adoc)$/i.test(path);
}
