import { firstSentence, plainText, sharedPart, stemsOf, wordsOf } from './decision-words.ts';
import type { DecisionText } from './similar.ts';
import type { DecisionRow } from './store.ts';

/** Two subjects are the same when they share this much of their words. */
const SAME_SUBJECT = 0.6;
/** Two titles say the same of different numbers, or the opposite, when the other words are shared this much. */
const SAME_REST = 0.6;
/** What turns away from the words that follow. */
const TURNS_AWAY =
  /\b(?:not|never|no longer|no|don't|won't|stop(?:s|ped)?(?: using)?|drop(?:s|ped)?|remove[sd]?|avoid(?:s|ed)?|instead of|rather than|replace[sd]?|abandon(?:s|ed)?|retire[sd]?|forbid(?:s|den)?|ban(?:s|ned)?|move[sd]? (?:away|off) from|without)\s+(?=((?:[\w+#-]+\s+){0,3}[\w+#-]+))/gi;
/** Verbs between a negation and what it is about. */
const VERBS = new Set(
  'adopt allow be build call choose depend do have host keep log make need offer put rely run send ship store support take write'.split(
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
].map((pair) => pair.split(' '));
/** `Use X for Y`: what is chosen, and what for. */
const CHOICE_FIRST =
  /^(?:(?:we )?(?:will )?(?:use|adopt|choose|pick|prefer|standardi[sz]e on|go with|switch to|move to|migrate to|host on|deploy to|run on|rely on)\s+)?(.+?)\s+(?:for|as|to (?:store|hold|keep|run|build|serve|send|deploy|test|write|manage|handle))\s+(.+)$/i;
/** `Keep Y in X`, `Y is written in X`. */
const CHOICE_LAST =
  /^(?:(?:we )?(?:will )?(?:keep|store|put|write|hold|run|deploy|host|serve|build|send|publish|manage|cache|authenticate|render|log)\s+)?(.+?)\s+(?:(?:is|are|lives?|stays?|runs?|goes?|go|stands?)\s+)?(?:(?:kept|stored|held|written|hosted|deployed|served|built|sent|published|managed|cached|rendered|run|made)\s+)?(?:only\s+)?(?:in|on|with|by|through|via|to|over)\s+(.+)$/i;
const QUANTITY =
  /\b(\d+(?:[.,]\d+)?|one|two|three|four|five|six|seven|ten|twelve|thirty|ninety|an?)\s*(ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|years?|%|percent|mb|gb|kb|characters?|times?|approvals?|reviewers?|replicas?|environments?)\b/gi;
/** A dash or a colon may name the subject first: `Sessions: in tables`. */
const NAMED_FIRST = /^([^:–—]{3,60})\s*[:–—]\s+(.+)$/;

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
  return differentChoice(wanted, known) ?? differentFigure(wanted, known) ?? opposite(wanted, known);
}

/** An option that `one` considered and left, and that `other` chooses. */
function leftOption(one: DecisionText, other: DecisionText): string | undefined {
  const chosen = chosenOption(one);
  const theirs = plainText(`${other.title}. ${firstSentence(other.decision)}`);
  const away = new Set(awayFrom(`${other.title}. ${firstSentence(other.decision)}`).map(({ stem }) => stem));
  return one.options.find(
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

/** A word that `one` turns away from and that the title of `other` stands on, as `other` writes it. */
function turnedFrom(one: DecisionText, other: DecisionText): string | undefined {
  const title = new Map(wordsOf(other.title).map(({ stem, written }) => [stem, written]));
  const away = new Set(awayFrom(`${other.title}. ${other.decision}`).map(({ stem }) => stem));
  const found = awayFrom(`${one.title}. ${firstSentence(one.decision)}`).find(
    ({ stem }) => title.has(stem) && !away.has(stem),
  );
  return found === undefined ? undefined : title.get(found.stem);
}

/** The first word that tells something after each word that turns away. */
function awayFrom(text: string): { stem: string; written: string }[] {
  return [...text.matchAll(TURNS_AWAY)].flatMap(([, after = '']) =>
    wordsOf(after)
      .filter(({ stem }) => !VERBS.has(stem))
      .slice(0, 1),
  );
}

interface Choice {
  choice: string;
  subject: string;
}

/** What a title chooses, and for what: one reading for each way to say it. */
function choicesOf(title: string): Choice[] {
  const text = title.trim().replace(/[.!]$/, '');
  const [, first = '', rest = ''] = NAMED_FIRST.exec(text) ?? [];
  const [, chosen, forWhat] = CHOICE_FIRST.exec(text) ?? [];
  const [, what, place] = CHOICE_LAST.exec(text) ?? [];
  return [
    ...(first === '' ? [] : [{ subject: first, choice: rest }]),
    ...(chosen === undefined || forWhat === undefined ? [] : [{ choice: chosen, subject: forWhat }]),
    ...(what === undefined || place === undefined ? [] : [{ choice: place, subject: what }]),
  ];
}

function differentChoice(one: DecisionText, other: DecisionText): string | undefined {
  if (awayFrom(one.title).length > 0 || awayFrom(other.title).length > 0) return undefined;
  for (const mine of choicesOf(one.title)) {
    for (const theirs of choicesOf(other.title)) {
      if (sharedPart(stemsOf(mine.subject), stemsOf(theirs.subject)) < SAME_SUBJECT) continue;
      const [choice, another] = [stemsOf(mine.choice), stemsOf(theirs.choice)];
      if (choice.size === 0 || another.size === 0 || sharedPart(choice, another) > 0) continue;
      return `one chooses "${mine.choice.trim()}" and the other "${theirs.choice.trim()}" for the same: ${mine.subject.trim()}`;
    }
  }
  return undefined;
}

/** Figures that differ while the other words of the titles are the same. */
function differentFigure(one: DecisionText, other: DecisionText): string | undefined {
  const rests = [one, other].map(({ title }) => stemsOf(title.replaceAll(QUANTITY, ' ')));
  if (sharedPart(rests[0] ?? new Set(), rests[1] ?? new Set()) < SAME_REST) return undefined;
  const [mine, theirs] = [figuresOf(one), figuresOf(other)];
  if (mine.length === 0 || theirs.length === 0 || mine.some((figure) => theirs.includes(figure))) return undefined;
  return `one says "${mine[0]}" and the other "${theirs[0]}"`;
}

function figuresOf({ title, decision }: DecisionText): string[] {
  const own = [...title.matchAll(QUANTITY)];
  return (own.length > 0 ? own : [...firstSentence(decision).matchAll(QUANTITY)]).map(([all]) => all.toLowerCase());
}

function opposite(one: DecisionText, other: DecisionText): string | undefined {
  const [mine, theirs] = [stemsOf(one.title), stemsOf(other.title)];
  for (const [first = '', second = ''] of OPPOSITES) {
    for (const [a, b] of [
      [first, second],
      [second, first],
    ] as const) {
      if (!mine.has(a) || !theirs.has(b) || mine.has(b) || theirs.has(a)) continue;
      const rest = (stems: ReadonlySet<string>): Set<string> =>
        new Set([...stems].filter((stem) => stem !== a && stem !== b));
      if (sharedPart(rest(mine), rest(theirs)) >= SAME_REST) return `one says "${a}" and the other "${b}"`;
    }
  }
  return undefined;
}

function mentions(text: string, name: string): boolean {
  return ` ${text} `.includes(` ${plainText(name)} `);
}
