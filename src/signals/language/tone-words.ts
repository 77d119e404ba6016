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
  ...GOOD.map((word) => [word, 1] as const),
  ...BAD.map((word) => [word, -1] as const),
]);
const LENGTHS = [...SIGNS.keys()].map((word) => word.length);
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

/** A word that praises or complains. */
interface ToneWord {
  /** As written, with `not` before when a negation turns it around. */
  written: string;
  sign: -1 | 1;
  /** More than 1 after `very` and the like. */
  strength: number;
}

/** The English words of praise and complaint in a text; a negation up to three words before turns one around. */
export function toneWordsOf(text: string): ToneWord[] {
  const words = text.toLowerCase().match(/[\p{L}']+/gu) ?? [];
  return words.flatMap((word, index) => {
    const sign = signOf(word);
    if (sign === 0) return [];
    const before = words.slice(Math.max(0, index - NEGATION_REACH), index);
    const isTurned = before.some((earlier) => NEGATIONS.has(earlier));
    const strength = before.slice(-1).some((earlier) => STRONGER.has(earlier)) ? STRONGER_BY : 1;
    return [{ written: isTurned ? `not ${word}` : word, sign: isTurned ? (sign === 1 ? -1 : 1) : sign, strength }];
  });
}

function signOf(word: string): -1 | 0 | 1 {
  if (WISHES.has(word)) return 0;
  for (let length = SHORTEST; length <= Math.min(LONGEST, word.length); length += 1) {
    const sign = SIGNS.get(word.slice(0, length));
    if (sign !== undefined) return sign;
  }
  return 0;
}
