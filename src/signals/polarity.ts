/** Words that people praise with, and complain with, by their beginning: `crash` is also in crashes and crashed. */
const GOOD =
  'love great awesome excellent amazing fantastic perfect happy pleas thank useful helpful easy simple smooth fast quick reliable stable intuitive clean nice good better best enjoy impress recommend wonderful brilliant solid elegant delight appreciat convenient work glad'.split(
    ' ',
  );
const BAD =
  'bug broken break broke crash fail error wrong slow lag hang freez stuck hate terrible awful horrible bad worse worst annoy frustrat confus difficult hard complicat impossible unusable useless missing lack lose lost leak corrupt problem issue block unable unstable unreliable inconsistent outdated painful pain disappoint poor ugly cumbersome clunky expensive overpriced cancel refund churn complain regress timeout flaky vulnerab insecure unclear misleading incorrect unexpected'.split(
    ' ',
  );
/** By beginning. Which list comes first does not matter, as none of them begins with one of the other. */
const SIGNS = new Map<string, -1 | 1>([
  ...GOOD.map((one) => [one, 1] as const),
  ...BAD.map((one) => [one, -1] as const),
]);
const LENGTHS = [...SIGNS.keys()].map((one) => one.length);
const [SHORTEST, LONGEST] = [Math.min(...LENGTHS), Math.max(...LENGTHS)];
/** Words of wishes, though they begin like praise. */
const WISHES = new Set(['please', 'faster', 'quicker', 'easier', 'simpler', 'smoother', 'cleaner']);
const NEGATIONS = new Set(
  "not no never none cannot can't cant don't dont doesn't doesnt didn't didnt isn't isnt wasn't wasnt won't wont without hardly barely".split(
    ' ',
  ),
);
const STRONGER = new Set('very really extremely so too totally completely absolutely super incredibly'.split(' '));

/** How many words a negation reaches over. */
const NEGATION_REACH = 3;
const STRONGER_BY = 1.5;
/** Three stars are neither praise nor complaint, each more or less is half of one. */
const MIDDLE_STARS = 3;
const STAR_STEPS = 2;

/** What a text seems to want, by the words it uses; the first that fits counts. */
const INTENTS = {
  churn:
    /\b(?:cancel(?:l?ed|l?ing)?|switch(?:ed|ing)? (?:to|away)|leav(?:e|ing) (?:for|you)|churn|refund|unsubscribe)\b/i,
  bug: /\b(?:bugs?|crash\w*|errors?|exceptions?|broken|fails?|failed|failing|doesn'?t work|not work\w*|regress\w*|stack ?trace)\b/i,
  request:
    /\b(?:please add|would (?:be (?:nice|great|good|useful|helpful)|love|like)|feature request|wish|need(?:s)? (?:a|an|to)|support for|allow|should be able|missing|could you add)\b/i,
  question: /\?|^\s*(?:how|what|why|when|where|is there|can i|does)\b/i,
  praise: /\b(?:love|great|awesome|excellent|amazing|fantastic|thank(?:s| you)|perfect|well done)\b/i,
} as const;
export type Intent = keyof typeof INTENTS | 'other';

/** How a text sounds. A guess by words, which is why it names them. */
export interface Polarity {
  /** -1 (complaint) to 1 (praise); undefined when no word of it is known. */
  polarity: number | undefined;
  /** The words that decided, as written, with `not` before those that were turned around. */
  words: string[];
  intent: Intent;
}

/**
 * Counts words of praise and complaint; a negation up to three words before turns one around. English only. Stars (1 to
 * 5) decide where they are given.
 */
export function polarityOf(text: string, stars?: number): Polarity {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  const found: string[] = [];
  let [sum, weight] = [0, 0];
  for (const [index, word] of words.entries()) {
    const sign = signOf(word);
    if (sign === 0) continue;
    const before = words.slice(Math.max(0, index - NEGATION_REACH), index);
    const isTurned = before.some((one) => NEGATIONS.has(one));
    const strength = before.slice(-1).some((one) => STRONGER.has(one)) ? STRONGER_BY : 1;
    sum += strength * (isTurned ? -sign : sign);
    weight += strength;
    found.push(isTurned ? `not ${word}` : word);
  }
  const intent = Object.entries(INTENTS).find(([, cue]) => cue.test(text))?.[0] ?? 'other';
  if (stars !== undefined) {
    // The keys are the names of intents.
    return { polarity: (stars - MIDDLE_STARS) / STAR_STEPS, words: [`${stars} of 5 stars`], intent: intent as Intent };
  }
  return {
    polarity: weight === 0 ? undefined : Math.round((sum / weight) * 100) / 100,
    words: [...new Set(found)],
    // The keys are the names of intents.
    intent: intent as Intent,
  };
}

function signOf(word: string): -1 | 0 | 1 {
  if (WISHES.has(word)) return 0;
  for (let length = SHORTEST; length <= Math.min(LONGEST, word.length); length += 1) {
    const sign = SIGNS.get(word.slice(0, length));
    if (sign !== undefined) return sign;
  }
  return 0;
}
