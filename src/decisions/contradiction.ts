import { choicesOf, thingsChosen } from './choices.ts';
import { firstSentence, plainText, sharedPart, stemsOf, wordsOf } from './decision-words.ts';
import type { DecisionText } from './similar.ts';
import type { DecisionRow } from './store.ts';

/** Two subjects are the same when they share this much of their words. */
const SAME_SUBJECT = 0.7;
/** Longer parts in which two titles differ make them two decisions. */
const MOST_PART_WORDS = 3;
/** Longer sentences say more than what was chosen. */
const SENTENCE_WORDS = 16;
/** Titles that share so much of their words ask one question; texts that share less of theirs answer it in two ways. */
const SAME_TITLE = 0.8;
const OTHER_TEXT = 0.5;
/** Shorter texts say nothing that could be another answer. */
const LEAST_WORDS = 5;
/** Of a longer name this much must be turned away from; a short one must be named in full. */
const MOST_OF_A_NAME = 2 / 3;
/** Pattern of words that turn away from the words that follow. */
const TURNS_AWAY =
  /\b(?:not|never|no longer|no|don't|won't|stop(?:s|ped)?(?: using)?|drop(?:s|ped)?|remove[sd]?|avoid(?:s|ed)?|instead of|rather than|replac(?:e[sd]?|ing)|from(?=\s.{1,60}\sto\s)|abandon(?:s|ed)?|retire[sd]?|forbid(?:s|den)?|ban(?:s|ned)?|move[sd]? (?:away|off) from|without)\s+(?=((?:[\w+#.-]+\s+){0,4}[\w+#.-]+))/gi;
/** Verbs between a negation and what it is about. */
const VERBS = new Set(
  'adopt allow be build call choose depend do have host keep log make need offer put rely run send ship store support take write'.split(
    ' ',
  ),
);
/** Generic words beside the name of a thing, which name none themselves. */
const KINDS_OF_THINGS = new Set(
  'api app application backend database framework gem library module package plugin service server site system tool'.split(
    ' ',
  ),
);
/**
 * Returns the reason why two decisions cannot both hold, as far as their words tell: one chooses an option that the other
 * rejected, or turns away from what the other chooses; both choose something else for the same; their titles differ by one
 * short part; or they have one title and different texts. Only decisions in force can be contradicted.
 */
export function contradictionOf(
  decision: DecisionText,
  other: DecisionText & Pick<DecisionRow, 'status'>,
): string | undefined {
  if (other.status !== 'accepted' && other.status !== 'proposed') return undefined;
  const rejectedOption = findRejectedOption(other, decision) ?? findRejectedOption(decision, other);
  if (rejectedOption !== undefined)
    return `one chooses "${rejectedOption}", which the other considered and did not choose`;
  const turned = turnedFrom(decision, other) ?? turnedFrom(other, decision);
  if (turned !== undefined) return `one moves away from "${turned}", which the other chooses`;
  const negated = negatedVerb(decision, other) ?? negatedVerb(other, decision);
  if (negated !== undefined) return `one says "not ${negated}", and the other does that`;
  return differentChoice(decision, other) ?? differentPart(decision, other) ?? sameQuestion(decision, other);
}

/** An option that `rejecting` considered and left, and that `choosing` chooses. */
function findRejectedOption(rejecting: DecisionText, choosing: DecisionText): string | undefined {
  const chosen = chosenOption(rejecting);
  const theirs = plainText(`${choosing.title}. ${firstSentence(choosing.decision)}`);
  const away = new Set(
    awayFrom(`${choosing.title}. ${firstSentence(choosing.decision)}`).flatMap((words) => [...words]),
  );
  return rejecting.options.find(
    ({ name }) =>
      name !== chosen &&
      haveOneSubject(rejecting, choosing, name) &&
      plainText(name).length > 2 &&
      mentions(theirs, name) &&
      !mentions(theirs, chosen ?? '\0') &&
      ![...stemsOf(name)].some((stem) => away.has(stem)),
  )?.name;
}

/**
 * True if one decision's first words share a word of the other's title beside options. A title of nothing else has no subject.
 */
function haveOneSubject(left: DecisionText, right: DecisionText, option: string): boolean {
  const names = [option, ...[...left.options, ...right.options].map(({ name }) => name)];
  const optionStems = new Set(names.flatMap((name) => [...stemsOf(name)]));
  const subjectOf = (text: string): string[] => [...stemsOf(text)].filter((stem) => !optionStems.has(stem));
  const [mine, theirs] = [subjectOf(left.title), subjectOf(right.title)];
  if (mine.length === 0 || theirs.length === 0) return true;
  return isNamedBy(right, mine) || isNamedBy(left, theirs);
}

/** True if the title or the first sentence of a decision has one of the words. */
function isNamedBy({ title, decision }: DecisionText, stems: readonly string[]): boolean {
  const words = stemsOf(`${title}. ${firstSentence(decision)}`);
  return stems.some((stem) => words.has(stem));
}

/** The considered option that the text of the decision names first. */
function chosenOption({ title, decision, options }: DecisionText): string | undefined {
  const text = plainText(`${title}. ${decision}`);
  return options
    .map(({ name }) => ({ name, at: text.indexOf(plainText(name)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0]?.name;
}

/** Returns what `rejecting` turns away from and `choosing` chooses, as `choosing` writes it. */
function turnedFrom(rejecting: DecisionText, choosing: DecisionText): string | undefined {
  const theirs = awayFrom(`${choosing.title}. ${choosing.decision}`);
  for (const chosen of thingsChosen(choosing.title)) {
    const words = wordsOf(chosen).filter(({ stem }) => !KINDS_OF_THINGS.has(stem));
    const isTurned = (away: ReadonlySet<string>): boolean => {
      const shared = words.filter(({ stem }) => away.has(stem)).length;
      return words.length > 0 && shared / words.length >= (words.length <= 2 ? 1 : MOST_OF_A_NAME);
    };
    if (theirs.some(isTurned)) continue;
    if (awayFrom(`${rejecting.title}. ${firstSentence(rejecting.decision)}`).some(isTurned)) return chosen;
  }
  return undefined;
}

/** The words that tell something after each word that turns away. */
function awayFrom(text: string): Set<string>[] {
  return [...text.matchAll(TURNS_AWAY)].map(
    ([, after = '']) =>
      new Set(
        wordsOf(after)
          .map(({ stem }) => stem)
          .filter((stem) => !VERBS.has(stem)),
      ),
  );
}

/** Returns what `forbidding` forbids and `doing` demands, for the same things. */
function negatedVerb(forbidding: DecisionText, doing: DecisionText): string | undefined {
  const [, verb = ''] = /\b(?:not|never)\s+(?:be\s+)?([\p{L}-]{4,})/iu.exec(forbidding.title) ?? [];
  const root = rootOf(verb);
  const theirs = wordsOf(doing.title);
  const same =
    root === '' || /\b(?:not|never)\b/i.test(doing.title)
      ? undefined
      : theirs.find(({ stem }) => rootOf(stem) === root);
  if (same === undefined) return undefined;
  const [mine, others] = [
    new Set([...stemsOf(forbidding.title)].filter((stem) => rootOf(stem) !== root && !VERBS.has(stem))),
    new Set(theirs.map(({ stem }) => stem).filter((stem) => rootOf(stem) !== root && !VERBS.has(stem))),
  ];
  const shared = [...mine].filter((stem) => others.has(stem)).length;
  return shared > 0 && shared === Math.min(mine.size, others.size) ? same.written : undefined;
}

/** A verb in its forms: `encrypt` of encrypted, encrypting. */
function rootOf(word: string): string {
  return word.toLowerCase().replace(/(?:ed|ing|s|e)$/, '');
}

/** Returns the choices of the title, and those that the first sentence of the decision states. */
function positionsOf({ title, decision }: DecisionText): ReturnType<typeof choicesOf> {
  const sentence = firstSentence(decision.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').trim());
  const isShort = sentence.split(/\s+/).length <= SENTENCE_WORDS && !sentence.includes(':');
  return [...choicesOf(title), ...(isShort ? choicesOf(sentence).filter(({ isStated }) => isStated) : [])];
}

/** Two decisions with one title and different texts. */
function sameQuestion(left: DecisionText, right: DecisionText): string | undefined {
  const [mine, theirs] = [stemsOf(left.title), stemsOf(right.title)];
  const answers = [left, right].map(({ decision }) => stemsOf(decision)) as [Set<string>, Set<string>];
  if (sharedPart(mine, theirs) < SAME_TITLE || answers.some(({ size }) => size < LEAST_WORDS)) return undefined;
  return sharedPart(...answers) < OTHER_TEXT ? `both decide on "${right.title}", with different texts` : undefined;
}

function differentChoice(left: DecisionText, right: DecisionText): string | undefined {
  if (awayFrom(left.title).length > 0 || awayFrom(right.title).length > 0) return undefined;
  for (const mine of positionsOf(left)) {
    for (const theirs of positionsOf(right)) {
      const [subject, theirSubject] = [stemsOf(mine.subject), stemsOf(theirs.subject)];
      if (sharedPart(subject, theirSubject) < SAME_SUBJECT) continue;
      // `Version 2 for forms` need not be a choice beside one that is stated.
      if (mine.isStated !== theirs.isStated && Math.min(subject.size, theirSubject.size) < 2) continue;
      const [choice, another] = [stemsOf(mine.choice), stemsOf(theirs.choice)];
      if (choice.size === 0 || another.size === 0 || sharedPart(choice, another) > 0) continue;
      return `one chooses "${mine.choice.trim()}" and the other "${theirs.choice.trim()}" for the same: ${mine.subject.trim()}`;
    }
  }
  return undefined;
}

/**
 * Returns the difference of two titles that are the same but for one short part: `The API is public`, `The API is private`. A
 * part that names what something is chosen for makes them two decisions about two things, unless it is a figure.
 */
function differentPart(left: DecisionText, right: DecisionText): string | undefined {
  const [mine, theirs] = [left.title, right.title].map((title) => title.trim().split(/\s+/)) as [string[], string[]];
  const most = Math.min(mine.length, theirs.length);
  let start = 0;
  while (start < most && isSameWord(mine[start], theirs[start])) start += 1;
  let end = 0;
  while (end < most - start && isSameWord(mine.at(-1 - end), theirs.at(-1 - end))) end += 1;
  const [part, other] = [mine, theirs].map((words) => words.slice(start, words.length - end)) as [string[], string[]];
  const common = [...mine.slice(0, start), ...mine.slice(mine.length - end)].join(' ');
  if (![part, other].every((words) => words.length > 0 && words.length <= MOST_PART_WORDS)) return undefined;
  if (start + end < Math.max(part.length, other.length) || stemsOf(common).size === 0) return undefined;
  const [ownPart, meant] = [part.join(' '), other.join(' ')];
  const isFigure = [ownPart, meant].every((text) => /\d/.test(text));
  const isSubject = [...choicesOf(left.title), ...choicesOf(right.title)].some(({ subject }) =>
    [ownPart, meant].some((text) => [...stemsOf(text)].some((stem) => stemsOf(subject).has(stem))),
  );
  const isStated = states(left, ownPart) && states(right, meant);
  return !isStated || (isSubject && !isFigure) ? undefined : `one says "${ownPart}" and the other "${meant}"`;
}

/** True if the text of a decision states a part of its title too: else the title names a topic, and not what was chosen. */
function states({ decision }: DecisionText, part: string): boolean {
  const stated = stemsOf(firstSentence(decision));
  return decision.trim() === '' || [...stemsOf(part)].some((stem) => stated.has(stem));
}

function isSameWord(left = '', right = ''): boolean {
  return stemOf(left) === stemOf(right);
}

function stemOf(word: string): string {
  return wordsOf(word)[0]?.stem ?? word.toLowerCase();
}

function mentions(text: string, name: string): boolean {
  return ` ${text} `.includes(` ${plainText(name)} `);
}
