import { saidIn } from './clean-text.ts';

/** What a message seems to want. */
export type Intent = 'churn' | 'bug' | 'request' | 'question' | 'praise' | 'other';

const NO_FORMS = new Set<string>();

const LEAVING =
  /\b(?:cancel(?:l?ed|l?ing)? (?:our|my|the|this) (?:plan|account|subscription|contract|membership)|switch(?:ed|ing)? (?:to|away)|leav(?:e|ing) (?:you|for)|churn|unsubscrib\w+|wechseln (?:zu|zur))\b|(?<!\p{L})(?:ge)?kündig(?:en?|te?|ung)(?!\p{L})/iu;

/** Marks that people and trackers put before a title, and words that say it in so many. */
const MARKS: readonly (readonly [Intent, RegExp])[] = [
  [
    'request',
    /^\W*(?:feature|feat|enhancement|proposal|idea|rfc|suggestion|wunsch|vorschlag)\b|\bfeature[ -]request\b/i,
  ],
  ['question', /^\W*(?:question|help|frage)\b/i],
  ['bug', /^\W*(?:bug|regression|crash|fehler)\b/i],
];

/** What a title says, the surest first. */
const TITLES: readonly (readonly [Intent, RegExp])[] = [
  [
    'request',
    /^\W*(?:add|allow|support|enable|provide|implement|introduce|expose|offer|let|improve|consider|make|show|hide|include|extend)\b|\b(?:please (?:add|support|allow|make)|would (?:like|love|be (?:nice|great|good|useful|helpful))|wish|should (?:be able|have|support|allow|offer)|(?:option|setting|ability|possibility|way) (?:to|for)|bitte|wäre (?:schön|gut|toll))\b/i,
  ],
  [
    'bug',
    /\b(?:crash\w*|errors?|exception|fail\w*|broken|breaks?|bug|freez\w*|hangs?|stuck|wrong(?:ly)?|incorrect\w*|missing|lost|leak\w*|flicker\w*|regression|unexpected\w*|does ?n[o']?t|doesn't|don't|isn't|aren't|won't|can't|cannot|unable|never|no longer|not (?:work|show|updat|load|open|sav|display|respect|call|render|fir|trigger)\w*|stopped|ignor\w+|invalid|slow|geht nicht|funktioniert nicht|fehler\w*|abgestürzt)\b/i,
  ],
  [
    'question',
    /\?\s*$|^\W*(?:how|what|why|when|where|which|who|is|are|can|could|does|do|should|wie|was|warum|wann|wo|kann)\b/i,
  ],
];
const BODIES: readonly (readonly [Intent, RegExp])[] = [
  [
    'request',
    /\b(?:feature request|it would be|would be (?:nice|great|good|useful|helpful)|is your feature|please add|i(?:'d| would) (?:like|love)|proposal)\b/i,
  ],
  [
    'bug',
    /\b(?:steps? to reproduce|repro(?:duce|duction)?|expected (?:behaviou?r|result)|actual (?:behaviou?r|result)|current behaviou?r|stack ?trace|traceback)\b/i,
  ],
];

/** Of a message without a title: what is broken for sure. */
const BROKEN =
  /\b(?:stopped working|no longer works?|(?:does ?n[o']?t|doesn't|don't|won't|not) work(?:ing)?|keeps? (?:crashing|freezing)|crash(?:es|ed))\b|stürzt .{0,20}\bab\b|funktioniert nicht/i;

/** The intent that a message says itself: marked, or by its title and form; undefined when it takes more than that. */
export function statedIntent(text: string): Intent | undefined {
  if (LEAVING.test(text)) return 'churn';
  const [first = ''] = text.trimStart().split('\n', 1);
  const marked = matchCue(MARKS, first);
  if (marked !== undefined) return marked;
  const { title } = saidIn(text, NO_FORMS);
  if (title === '') return BROKEN.test(text) ? 'bug' : undefined;
  // What ends with a question asks, though it may name an error.
  if (/\?\s*$/.test(title)) return 'question';
  return matchCue(TITLES, title) ?? matchCue(BODIES, text) ?? (text.includes('?') ? 'question' : undefined);
}

function matchCue(cues: readonly (readonly [Intent, RegExp])[], text: string): Intent | undefined {
  return cues.find(([, cue]) => cue.test(text))?.[0];
}
