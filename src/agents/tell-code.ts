import { type Callee, lastPart, type Surroundings } from './gather/around.ts';
import type { CodePlace, Effort } from './gather/code.ts';
import type { Enumeration } from './gather/enumerations.ts';
import type { Hop } from './gather/follow.ts';
import type { TellingLines } from './gather/lines.ts';
import { asksForAside, isAside } from './gather/prefer.ts';
import type { Tools } from './gather/tools.ts';
import type { WayStep } from './gather/way.ts';
import type { Citer } from './prose/cite.ts';
import { alsoInvolved, compare, family, flow, introduce, listUses, tellFurther } from './prose/code.ts';
import { listComments, quoteComments } from './prose/comments.ts';
import { isToldInFull } from './prose/in-full.ts';
import { tellMembers } from './prose/members.ts';
import { composeWithin, type Layout } from './prose/layout.ts';
import type { Paragraph } from './prose/prose.ts';
import { listVariables, quoteLines } from './prose/lines.ts';
import { firstSentence } from './prose/symbols.ts';
import { tellWay } from './prose/way.ts';
import type { AskedQuestion } from './question/question.ts';
import { wantedLinesOf } from './question/wanted-lines.ts';

/** Other places that an answer names. */
export const ALSO = { quick: 2, standard: 5, deep: 8 } as const;

/** What was found for a question about code. */
export interface Story {
  tools: Tools;
  question: AskedQuestion;
  effort: Effort;
  cite: Citer;
  main: CodePlace;
  others: readonly CodePlace[];
  around: Surroundings;
  /** What is called in turn, in a question about how something works. */
  hops: readonly Hop[];
  /** The calls from one end to the other, in a question about a way. */
  way: readonly WayStep[];
  /** Lines that say most about the question, the best first. */
  lines: readonly TellingLines[];
  /** Lines that read environment variables, in a question about those. */
  environment: readonly CodePlace[];
  /** What holds all of what a question asks for, where it asks for all of a kind. */
  enumeration: Enumeration | undefined;
  /** What other places call, of those without documentation. */
  calls: ReadonlyMap<CodePlace, readonly Callee[]>;
  /** What the main place is compared with, in a question that compares. */
  rival: [CodePlace, Surroundings] | undefined;
  /** How much is shown; undefined for as much as a part of an answer shows. */
  layout?: Layout;
}

/** An answer that shows as much of the code as fits into a number of characters. */
export function tell(story: Story, characters: number): Paragraph[] {
  const compose = (layout: Layout): Paragraph[] =>
    tellParts({ ...story, cite: story.cite.showing(layout), layout }).flat();
  return composeWithin(compose, characters);
}

/** What is told of a further part of a question: its place and how that works. */
export function tellBriefly(story: Story): Paragraph[] {
  const about = tellParts({ ...story, others: [] }).filter((part) => part.length > 0);
  return about.slice(0, BRIEF).flat();
}

/** The parts of an answer. Who asks for a value, or what happens in a case, is first told the lines that say it. */
function tellParts(story: Story): Paragraph[][] {
  const { question, lines, main, cite, enumeration } = story;
  const members = enumeration === undefined ? [] : [tellMembers(cite, enumeration)];
  const parts = [...members, ...PARTS[question.intent](story)];
  const wanted = wantedLinesOf(question.words);
  const [best] = lines;
  if (best === undefined || wanted.length === 0 || best.worth < LEAST_TO_LEAD) return parts;
  // Lines of a place say less before it is introduced, but for a value.
  return wanted.includes('value') || best.place !== main ? [tellLines(story), ...parts] : parts;
}

/** Lines with so much of the weight of a question answer it. */
const LEAST_TO_LEAD = 0.45;

const BRIEF = 3;

/** What an answer tells for each kind of question, in this order. */
const PARTS: Record<AskedQuestion['intent'], (story: Story) => Paragraph[][]> = {
  locate: (story) => [tellOpening(story), ...inOrderOf(story, [tellLines(story), steps(story)], tellOthers(story))],
  explain: (story) => [
    tellOpening(story),
    ...inOrderOf(story, [remark(story), tellLines(story), steps(story)], tellOthers(story)),
  ],
  change: (story) => [tellOpening(story), tellLines(story), relatives(story), uses(story, 5), tellOthers(story)],
  usage: (story) => [tellOpening(story), uses(story, 8), tellOthers(story)],
  impact: (story) => [tellOpening(story), uses(story, 6), relatives(story), tellOthers(story)],
  owner: (story) => [tellOpening(story)],
  when: (story) => [tellOpening(story)],
  why: (story) => [tellOpening(story), remark(story), tellLines(story), steps(story), tellOthers(story)],
  compare: (story) => [tellOpening(story), differences(story), tellOthers(story)],
  list: (story) => [tellOpening(story), tellLines(story), tellOthers(story)],
};

/** More about the main place first where the question names it; else another one may be meant. */
function inOrderOf({ main, way }: Story, about: Paragraph[][], others: Paragraph[]): Paragraph[][] {
  return main.isNamed || way.length > 0 ? [...about, others] : [others, ...about];
}

function tellOpening({ cite, main, around }: Story): Paragraph[] {
  const sentences = [
    ...introduce(cite, main, around.callees),
    ...tellFurther(cite, main),
    ...family(cite, main, around),
  ];
  return [{ sentences }];
}

/** The lines that say most about a question. */
export function tellLines({ cite, main, lines, environment }: Story): Paragraph[] {
  if (environment.length > 0) return listVariables(cite, environment);
  // What is shown in full is not quoted again.
  return quoteLines(cite, isToldInFull(main) ? lines.filter(({ place }) => place !== main) : lines);
}

function remark({ cite, main, others, question }: Story): Paragraph[] {
  const inOrder = question.intent === 'explain' ? listComments(cite, main) : [];
  if (inOrder.length > 0) return inOrder;
  // A reason may stand beside other code too.
  const places = question.intent === 'why' ? [main, ...others.filter(({ path }) => !isAside(path))] : [main];
  const sentences = quoteComments(cite, places);
  return sentences.length === 0 ? [] : [{ sentences }];
}

function differences({ cite, main, around, rival }: Story): Paragraph[] {
  if (rival === undefined) return [];
  return [{ sentences: [...introduce(cite, rival[0], rival[1].callees), ...compare(cite, [main, around], rival)] }];
}

/** Who calls the main place, what it calls, and what that calls in turn, as one list. */
function steps({ cite, main, around, others, hops, way, layout }: Story): Paragraph[] {
  if (way.length > 0) return [tellWay(cite, way)];
  const asked = (callees: readonly Callee[], known: readonly CodePlace[]): Callee[] =>
    main.isNamed ? [...callees] : askedOf(cite, callees, known);
  const first = flow(cite, main, { uses: around.uses, callees: asked(around.callees, others) }, others);
  const further = hops.flatMap(({ place, callees, read }) =>
    flow(cite, place, { uses: [], callees: asked(callees, read) }, read),
  );
  const sentences = [...first, ...further].flatMap((part) => part.sentences).slice(0, layout?.calls);
  return sentences.length === 0 ? [] : [{ sentences, isList: sentences.length > 1 }];
}

/** What is called where only words led to a place has this share of a question by its name and documentation, or is nothing asked. */
const LEAST_OF_CALL = 0.1;

function askedOf(cite: Citer, callees: readonly Callee[], known: readonly CodePlace[]): Callee[] {
  return callees.filter(({ symbol, path }) => {
    const target = known.find((place) => place.symbol === symbol && place.path === path);
    return cite.worthOf(`${lastPart(symbol)} ${firstSentence(target?.doc ?? '')}`) >= LEAST_OF_CALL;
  });
}

function relatives({ cite, main, around }: Story): Paragraph[] {
  const sentences = family(cite, main, around);
  return sentences.length === 0 ? [] : [{ sentences }];
}

function uses({ cite, main, around }: Story, most: number): Paragraph[] {
  return main.symbol === '' ? [] : listUses(cite, main, around, most);
}

/** Places of other files first: those of the same one are near when it is opened. */
function tellOthers({
  cite,
  main,
  others: all,
  effort,
  around,
  hops,
  way,
  rival,
  question,
  calls,
  layout,
}: Story): Paragraph[] {
  const others = all.filter(
    ({ path, isNamed }) => isNamed || path === main.path || !isAside(path) || asksForAside(question.words),
  );
  // What the steps tell is not told twice.
  const inTurn =
    way.length > 0 ? way.map(({ to }) => to) : [...around.callees, ...hops.flatMap(({ callees }) => callees)];
  const told = new Set(inTurn.map(({ symbol, path }) => `${path} ${symbol}`));
  const symbols = new Set([main, ...others].flatMap(({ path, symbol }) => (symbol === '' ? [] : path)));
  const fresh = others.filter(({ path, symbol }) =>
    symbol === '' ? !symbols.has(path) : !told.has(`${path} ${symbol}`) && rival?.[0].symbol !== symbol,
  );
  // Where only words tell the place, the next ones may be meant as well: in the order in which they fit, with lines of the first.
  const isSure = main.isNamed || way.length > 0;
  if (!isSure) {
    const shown = layout?.shown ?? SHOWN;
    return alsoInvolved(cite, fresh.slice(0, ALSO[effort]), { calls, shown, lead: 'These may be meant as well:' });
  }
  const far = fresh.filter(({ path, isNamed }) => isNamed || path !== main.path);
  const near = fresh.filter((place) => !far.includes(place));
  const ranked = fresh.filter((place) => place.score > 0 || place.isNamed);
  const chosen = [...new Set([...ranked.slice(0, 2), ...far, ...near])].slice(0, ALSO[effort]);
  return alsoInvolved(cite, chosen, { calls });
}

/** Places that may be meant instead of the first one, of which lines are shown. */
const SHOWN = 3;
