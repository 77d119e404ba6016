import { choicesOf, thingsChosen } from './choices.ts';
import { firstSentence, plainText, sharedPart, stemsOf, wordsOf } from './decision-words.ts';
import type { DecisionText } from './similar.ts';
import type { DecisionRow } from './store.ts';

/** Two subjects are the same when they share this much of their words. */
const SAME_SUBJECT = 0.7;
/** Two titles say the same of different numbers, or the opposite, when the other words are shared this much. */
const SAME_REST = 0.6;
/** Of a longer name this much must be turned away from; a short one must be named in full. */
const MOST_OF_A_NAME = 2 / 3;
/** What turns away from the words that follow. */
const TURNS_AWAY =
  /\b(?:not|never|no longer|no|don't|won't|stop(?:s|ped)?(?: using)?|drop(?:s|ped)?|remove[sd]?|avoid(?:s|ed)?|instead of|rather than|replace[sd]?|abandon(?:s|ed)?|retire[sd]?|forbid(?:s|den)?|ban(?:s|ned)?|move[sd]? (?:away|off) from|without)\s+(?=((?:[\w+#.-]+\s+){0,4}[\w+#.-]+))/gi;
/** Verbs between a negation and what it is about. */
const VERBS = new Set(
  'adopt allow be build call choose depend do have host keep log make need offer put rely run send ship store support take write'.split(
    ' ',
  ),
);
/** What is said beside the name of a thing, and is none itself. */
const KINDS_OF_THINGS = new Set(
  'api app application backend database framework gem library module package plugin service server site system tool'.split(
    ' ',
  ),
);
/** Words of which a thing is one or the other. */
const OPPOSITES = [
  'enable disable',
  'allow forbid',
  'allow block',
  'sync async',
  'synchronous asynchronous',
  'internal external',
  'public private',
  'single multiple',
  'one many',
  'shared separate',
  'combine separate',
  'merge split',
  'central local',
  'managed self-hosted',
  'open closed',
  'manual automatic',
  'manually automatically',
  'optional required',
  'optional mandatory',
  'mutable immutable',
  'hard soft',
  'push pull',
  'static dynamic',
  'stateful stateless',
  'monolith microservice',
  'monorepo polyrepo',
  'eager lazy',
  'before after',
  'first last',
  'client server',
  'on-premise cloud',
  'encrypted plaintext',
  'keep delete',
  'strict lenient',
  'daily weekly',
  'weekly monthly',
].map((pair) => pair.split(' ').flatMap((word) => [...stemsOf(word)]));
const QUANTITY =
  /\b(\d+(?:[.,]\d+)?|one|two|three|four|five|six|seven|ten|twelve|thirty|ninety|an?)\s*(ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|years?|%|percent|mb|gb|kb|characters?|times?|approvals?|reviewers?|replicas?|environments?)\b/gi;
/**
 * Why two decisions cannot both hold, as far as their words tell: one chooses what the other considered and left, or turns
 * away from what the other chooses; both choose something else for the same; they give different figures for the same, or
 * say the opposite. Only decisions in force can be contradicted.
 */
export function contradictionOf(
  wanted: DecisionText,
  known: DecisionText & Pick<DecisionRow, 'status'>,
): string | undefined {
  if (known.status !== 'accepted' && known.status !== 'proposed') return undefined;
  const left = leftOption(known, wanted) ?? leftOption(wanted, known);
  if (left !== undefined) return `one chooses "${left}", which the other considered and did not choose`;
  const turned = turnedFrom(wanted, known) ?? turnedFrom(known, wanted);
  if (turned !== undefined) return `one moves away from "${turned}", which the other chooses`;
  const negated = negatedVerb(wanted, known) ?? negatedVerb(known, wanted);
  if (negated !== undefined) return `one says "not ${negated}", and the other does that`;
  return differentChoice(wanted, known) ?? differentFigure(wanted, known) ?? opposite(wanted, known);
}

/** An option that `rejecting` considered and left, and that `choosing` chooses. */
function leftOption(rejecting: DecisionText, choosing: DecisionText): string | undefined {
  const chosen = chosenOption(rejecting);
  const theirs = plainText(`${choosing.title}. ${firstSentence(choosing.decision)}`);
  const away = new Set(
    awayFrom(`${choosing.title}. ${firstSentence(choosing.decision)}`).flatMap((words) => [...words]),
  );
  return rejecting.options.find(
    ({ name }) =>
      name !== chosen &&
      plainText(name).length > 2 &&
      mentions(theirs, name) &&
      !mentions(theirs, chosen ?? '\0') &&
      ![...stemsOf(name)].some((stem) => away.has(stem)),
  )?.name;
}

/** The considered option that the text of the decision names first. */
function chosenOption({ title, decision, options }: DecisionText): string | undefined {
  const text = plainText(`${title}. ${decision}`);
  return options
    .map(({ name }) => ({ name, at: text.indexOf(plainText(name)) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)[0]?.name;
}

/** What `rejecting` turns away from and `choosing` chooses, as `choosing` writes it. */
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

/** What `forbidding` says not to do and `doing` says to do, to the same things. */
function negatedVerb(forbidding: DecisionText, doing: DecisionText): string | undefined {
  const [, verb = ''] = /\b(?:not|never)\s+(?:be\s+)?([\p{L}-]{4,})/iu.exec(forbidding.title) ?? [];
  const root = rootOf(verb);
  const theirs = wordsOf(doing.title);
  const same =
    root === '' || /\b(?:not|never)\b/i.test(doing.title)
      ? undefined
      : theirs.find(({ stem }) => rootOf(stem) === root);
  if (same === undefined) return undefined;
  const [mine, rest] = [
    new Set([...stemsOf(forbidding.title)].filter((stem) => rootOf(stem) !== root && !VERBS.has(stem))),
    new Set(theirs.map(({ stem }) => stem).filter((stem) => rootOf(stem) !== root && !VERBS.has(stem))),
  ];
  const shared = [...mine].filter((stem) => rest.has(stem)).length;
  return shared > 0 && shared === Math.min(mine.size, rest.size) ? same.written : undefined;
}

/** A verb in its forms: `encrypt` of encrypted, encrypting. */
function rootOf(word: string): string {
  return word.toLowerCase().replace(/(?:ed|ing|s|e)$/, '');
}

function differentChoice(left: DecisionText, right: DecisionText): string | undefined {
  if (awayFrom(left.title).length > 0 || awayFrom(right.title).length > 0) return undefined;
  for (const mine of choicesOf(left.title)) {
    for (const theirs of choicesOf(right.title)) {
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

/** Figures that differ while the other words of the titles are the same. */
function differentFigure(left: DecisionText, right: DecisionText): string | undefined {
  const rests = [left, right].map(({ title }) => stemsOf(title.replaceAll(QUANTITY, ' ')));
  if (sharedPart(rests[0] ?? new Set(), rests[1] ?? new Set()) < SAME_REST) return undefined;
  const [mine, theirs] = [figuresOf(left), figuresOf(right)];
  if (mine.length === 0 || theirs.length === 0 || mine.some((figure) => theirs.includes(figure))) return undefined;
  return `one says "${mine[0]}" and the other "${theirs[0]}"`;
}

function figuresOf({ title, decision }: DecisionText): string[] {
  const own = [...title.matchAll(QUANTITY)];
  return (own.length > 0 ? own : [...firstSentence(decision).matchAll(QUANTITY)]).map(([all]) => all.toLowerCase());
}

function opposite(left: DecisionText, right: DecisionText): string | undefined {
  const [mine, theirs] = [stemsOf(left.title), stemsOf(right.title)];
  for (const [first = '', second = ''] of OPPOSITES) {
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const) {
      const [said, meant] = [formIn(mine, a), formIn(theirs, b)];
      if (said === undefined || meant === undefined) continue;
      if (formIn(mine, b) !== undefined || formIn(theirs, a) !== undefined) continue;
      const rest = (stems: ReadonlySet<string>): Set<string> =>
        new Set([...stems].filter((stem) => stem !== said && stem !== meant));
      if (sharedPart(rest(mine), rest(theirs)) >= SAME_REST) return `one says "${said}" and the other "${meant}"`;
    }
  }
  return undefined;
}

/** A word in the form that a title has: `allowed` of allow. */
function formIn(stems: ReadonlySet<string>, word: string): string | undefined {
  return stems.has(word)
    ? word
    : [...stems].find((stem) => /^(?:e?d|den)$/.test(stem.slice(word.length)) && stem.startsWith(word));
}

function mentions(text: string, name: string): boolean {
  return ` ${text} `.includes(` ${plainText(name)} `);
}
