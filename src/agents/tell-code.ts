import { describeCall } from '../kernel/answer.ts';
import { counted } from '../kernel/counted.ts';
import type { CommitAlike } from './gather/alike.ts';
import { type Callee, type findCommits, type FileHistory, lastPart, type Surroundings } from './gather/around.ts';
import type { CodeFindings, CodePlace, Effort } from './gather/code.ts';
import type { Enumeration } from './gather/enumerations.ts';
import type { Hop } from './gather/follow.ts';
import type { TellingLines } from './gather/lines.ts';
import { asksForAside, isAside, isText } from './gather/prefer.ts';
import type { CommitMessage } from './gather/reasons.ts';
import type { Tools } from './gather/tools.ts';
import type { WayStep } from './gather/way.ts';
import type { WrittenText } from './gather/written.ts';
import type { Investigation } from './prose/investigation.ts';
import type { Citer } from './prose/cite.ts';
import {
  alsoInvolved,
  compare,
  family,
  flow,
  introduce,
  knownBy,
  listCommits,
  listUses,
  quoteWritten,
  tellFurther,
} from './prose/code.ts';
import { listComments, quoteComments } from './prose/comments.ts';
import { isToldInFull } from './prose/in-full.ts';
import { tellMembers } from './prose/members.ts';
import { composeWithin, type Layout } from './prose/layout.ts';
import { type Composed, day, listNames, type Paragraph, quote, type Sentence } from './prose/prose.ts';
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
  history: FileHistory | undefined;
  written: readonly WrittenText[];
  /** Commits that speak of what is asked for, the oldest first, in a question about when it came. */
  beginnings: Awaited<ReturnType<typeof findCommits>>;
  /** Commits that speak of what is asked for, with the sentence of their message about it, in a question about why. */
  reasons: readonly (CommitMessage & { said: string })[];
  /** Lines that say most about the question, the best first. */
  lines: readonly TellingLines[];
  /** Commits that did what is asked for, in a question about how to do it. */
  alike: readonly CommitAlike[];
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

/** Places that an answer shows when the index does not seem to contain what is asked for. */
const NEAREST = 4;

type Told = Pick<Investigation, 'composed'>;

/** What the index does not seem to contain, what comes nearest, and what would help. */
export function refuse(cite: Citer, { names }: AskedQuestion, findings: CodeFindings): Told {
  const { unknownNames, places } = findings;
  const near = ofDifferentFiles(places).slice(0, NEAREST);
  const lead: Sentence = { text: 'What comes nearest:', sources: [] };
  const rows = near.map((place) => ({
    text: `\`${place.symbol === '' ? place.path : place.symbol.replaceAll('/', '.')}\` in ${place.path}.`,
    sources: [cite.place(place, 'near')],
  }));
  const missing = unknownNames.map((name) => `no symbol in the index is called \`${name}\``);
  return {
    composed: {
      paragraphs: near.length === 0 ? [] : [{ sentences: [lead, ...rows], isList: true }],
      gaps: [
        ...missing,
        ...(names.length === 0 ? ['naming a function, class or file of this code would help'] : []),
        'the question may be about another repository, or use words that this code does not',
      ],
      next: [
        ...unknownNames.slice(0, 1).map((query) => describeCall('code-tool', { action: 'search_symbols', query })),
        describeCall('code-tool', { action: 'map' }),
      ],
    },
  };
}

/** The first place of each file: one that misleads does not stand for all. */
function ofDifferentFiles(places: readonly CodePlace[]): CodePlace[] {
  const seen = new Set<string>();
  return places.filter(({ path }) => (seen.has(path) ? false : seen.add(path) !== undefined));
}

/** That no use was found, and where there may be one: the name alone is no use, and its absence no proof. */
function unusedGap(name: string, { open: [first, ...more] }: Surroundings): string {
  if (first === undefined)
    return `no code outside tests was found that uses \`${name}\`: it may be called by a framework, by name or from elsewhere`;
  const others = more.length === 0 ? '' : ` and ${counted(more.length, 'further line')}`;
  return `what uses \`${name}\` was not resolved: ${first.path}:${first.line}${others} outside tests ${more.length === 0 ? 'has' : 'have'} its name`;
}

/** An answer that shows as much of the code as fits into a number of characters. */
export function tell(story: Story, findings: CodeFindings, characters: number): Told {
  const { main, question, around } = story;
  const gaps = findings.unknownNames.map((name) => `no symbol in the index is called \`${name}\``);
  if (
    main.symbol !== '' &&
    !isText(main) &&
    around.uses.length === 0 &&
    ['usage', 'impact', 'explain'].includes(question.intent)
  )
    gaps.push(unusedGap(main.symbol.replaceAll('/', '.'), around));
  if (question.intent === 'why' && story.written.length === 0 && story.reasons.every(({ said }) => said === ''))
    gaps.push('no reason was found in decisions, plans, documents or commit messages');
  const next = nextCalls(story);
  const compose = (layout: Layout): Composed => {
    const cite = story.cite.showing(layout);
    return { paragraphs: tellParts({ ...story, cite, layout }).flat(), gaps, next };
  };
  return { composed: composeWithin(compose, characters) };
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
  locate: (story) => [
    tellOpening(story),
    ...inOrderOf(story, [tellLines(story), steps(story)], tellOthers(story)),
    tellWritten(story),
    people(story),
  ],
  explain: (story) => [
    tellOpening(story),
    ...inOrderOf(story, [remark(story), tellLines(story), steps(story)], tellOthers(story)),
    tellWritten(story),
    people(story),
  ],
  change: (story) => [
    tellAlike(story),
    tellOpening(story),
    tellLines(story),
    relatives(story),
    uses(story, 5),
    tellOthers(story),
    tellWritten(story),
    people(story),
  ],
  usage: (story) => [tellOpening(story), uses(story, 8), tellOthers(story)],
  impact: (story) => [tellOpening(story), uses(story, 6), relatives(story), tellOthers(story), people(story)],
  owner: (story) => [people(story), tellOpening(story), commits(story, 4)],
  when: (story) => [tellOpening(story), tellBeginnings(story), commits(story, 6), people(story)],
  why: (story) => [
    tellOpening(story),
    remark(story),
    tellReasons(story),
    tellLines(story),
    tellWritten(story),
    steps(story),
    tellOthers(story),
  ],
  compare: (story) => [tellOpening(story), differences(story), tellOthers(story), tellWritten(story)],
  list: (story) => [tellOpening(story), tellLines(story), tellOthers(story), tellWritten(story)],
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

function tellWritten({ cite, written }: Story): Paragraph[] {
  return written.length === 0 ? [] : [{ sentences: quoteWritten(cite, written) }];
}

function people({ cite, main, history, question }: Story): Paragraph[] {
  if (history === undefined) return [];
  // Who knows another place than what is meant helps nobody.
  if (!main.isNamed && ['explain', 'locate'].includes(question.intent)) return [];
  const sentences = knownBy(cite, main, history);
  return sentences.length === 0 ? [] : [{ sentences }];
}

function commits({ cite, history }: Story, most: number): Paragraph[] {
  return history === undefined ? [] : listCommits(cite, history.repo, history.commits.slice(0, most));
}

function tellBeginnings({ cite, beginnings }: Story): Paragraph[] {
  const sentences = beginnings.map((row) => ({
    text: `${day(row.date)}, ${row.author}: ${quote(row.subject)}.`,
    sources: [cite.commit(row.repo, row)],
  }));
  const lead = { text: 'The first commits that speak of it:', sources: [] };
  return sentences.length === 0 ? [] : [{ sentences: [lead, ...sentences], isList: true }];
}

/** What was changed when the like was done. */
function tellAlike({ cite, alike }: Story): Paragraph[] {
  const sentences = alike.map((commit) => ({
    text: `${day(commit.date)}, ${commit.author}: ${quote(commit.subject)} changed ${listNames(commit.paths, MOST_CHANGED)}.`,
    sources: [cite.commit(commit.repo, commit)],
  }));
  const lead = { text: 'Earlier commits with such a subject:', sources: [] };
  return sentences.length === 0 ? [] : [{ sentences: [lead, ...sentences], isList: true }];
}

const MOST_CHANGED = 8;

function tellReasons({ cite, reasons }: Story): Paragraph[] {
  const sentences = reasons.map((reason) => {
    const { date, author, subject, said, repo } = reason;
    const text = `${day(date)}, ${author}: ${quote(subject)}${said === '' ? '' : `, which says ${quote(said, 220)}`}.`;
    return { text, sources: [cite.commit(repo, reason, said === '' ? subject : said)] };
  });
  const lead = { text: 'Commits that speak of it:', sources: [] };
  return sentences.length === 0 ? [] : [{ sentences: [lead, ...sentences], isList: true }];
}

function nextCalls({ main, question }: Story): string[] {
  const query = main.symbol === '' ? `${main.path}:${main.start}-${main.end}` : `sym:${main.symbol}@${main.path}`;
  const read = describeCall('code-tool', { action: 'definition', query, detail: 'body' });
  if (main.symbol === '') return [read];
  const impact = describeCall('code-tool', { action: 'impact', query, depth: 2 });
  const used = describeCall('code-tool', { action: 'usages', query });
  return question.intent === 'usage' ? [used, impact, read] : [read, used, impact];
}
