import { awaitLater } from '../kernel/await-later.ts';
import { charactersIn } from '../kernel/budget.ts';
import { lastPart, lookAround, readCalls, type Surroundings } from './gather/around.ts';
import { type CodeFindings, type CodePlace, type Effort, findCode, locateDoc, readSymbol } from './gather/code.ts';
import { findEnumeration } from './gather/enumerations.ts';
import { follow, readPlace } from './gather/follow.ts';
import { grepEnvironment, grepLines, readLines } from './gather/grep-lines.ts';
import { findTellingLines } from './gather/lines.ts';
import { leadWithMember } from './gather/members.ts';
import { isNamedForSure } from './gather/named.ts';
import { findWay, type WayStep } from './gather/way.ts';
import type { Tools } from './gather/tools.ts';
import { belowHigh, confidenceOf, levelOf } from './confidence.ts';
import { Ledger } from './ledger/ledger.ts';
import { Citer } from './prose/cite.ts';
import { findConstants, withConstants } from './gather/constants.ts';
import { endsOf } from './question/ends.ts';
import { coverage, type TermWeights, weighTerms } from './question/term-weights.ts';
import { subquestionsOf } from './question/parts.ts';
import { type AskedQuestion, parseQuestion } from './question/question.ts';
import type { Paragraph } from './prose/prose.ts';
import { ALSO, type Story, tell, tellBriefly, tellLines } from './tell-code.ts';
import { wantedLinesOf } from './question/wanted-lines.ts';

/** Places that are read whole, with their documentation. */
const READ = { quick: 4, standard: 7, deep: 14 } as const;
/** Length of an answer, and the share of it that the first of several parts of a question has. */
const TOKENS = 1500;
const SHARE_OF_FIRST = 0.6;

/** What the code says about a question. */
interface CodeAnswer {
  paragraphs: readonly Paragraph[];
  /** 0..1, computed from how well the index fits the question; the paragraphs say nothing of it where it is low. */
  confidence: number;
}

/**
 * Answers a question about code from the index, without a model: 10 to 20 calls, as many again for each further part of the question.
 * What a later part adds follows the answer to the first one.
 *
 * @throws ServiceError when the code cannot be searched.
 */
export async function askCode(tools: Tools, question: AskedQuestion, effort: Effort): Promise<CodeAnswer> {
  const [head = question, ...tail] = partsOfQuestion(question);
  const ledger = new Ledger();
  const characters = charactersIn(TOKENS) * (tail.length === 0 ? 1 : SHARE_OF_FIRST);
  const ask = (part: AskedQuestion): Promise<PartAnswer> => askPart(tools, part, { effort, ledger, characters });
  const [asked, ...others] = await Promise.all([ask(head), ...tail.map(ask)]);
  const answers = [asked, ...others];
  const isWhole = question.names.length > 0;
  // Words of a part alone are found in other code more easily than those of a whole question.
  const fits = isWhole ? asked.confidence : answers.reduce((sum, part) => sum + part.confidence, 0) / answers.length;
  const confidence = answers.some(({ isSure }) => isSure) ? fits : belowHigh(fits);
  const [first, ...rest] = answers.filter(({ about }) => about !== '');
  if (first === undefined || levelOf(confidence) === 'low') return { paragraphs: [], confidence };
  const seen = new Set([first.about]);
  const further = rest.filter(({ about }) => (seen.has(about) ? false : seen.add(about) !== undefined));
  // What is said of the same place for another part belongs to where the place is told.
  const beside = rest.filter((part) => !further.includes(part)).flatMap(({ lines }) => lines);
  const [opening, ...more] = first.paragraphs;
  return {
    paragraphs: [
      ...(opening === undefined ? [] : [opening]),
      ...beside,
      ...more,
      ...further.flatMap(({ brief }) => brief),
    ],
    confidence,
  };
}

/** What is looked for one by one; first the question as a whole when it names something of the code. */
function partsOfQuestion(question: AskedQuestion): AskedQuestion[] {
  const parts = subquestionsOf(question.words);
  if (parts.length < 2) return [question];
  const each = parts.map(parseQuestion);
  return question.names.length > 0 ? [question, ...each.slice(1)] : each;
}

/** The answer to one part of a question, what of it follows another answer, and the place that it is about; '' for none. */
interface PartAnswer extends CodeAnswer {
  /** Whether it names its place beyond doubt. */
  isSure: boolean;
  brief: Paragraph[];
  /** The lines that say most about it. */
  lines: Paragraph[];
  about: string;
}

async function askPart(
  tools: Tools,
  question: AskedQuestion,
  { effort, ledger, characters }: { effort: Effort; ledger: Ledger; characters: number },
): Promise<PartAnswer> {
  const found = await findCode(tools, question, effort);
  const weights = weighTerms(question.terms, found.searched, found.terms);
  const findings = { ...found, places: leadWithMember(found.places, { weights, question }) };
  const cite = new Citer(ledger, weights, (repo) => tools.commitOf(repo));
  const confidence = fit(found, weights);
  const isSure = isNamedForSure(findings, question);
  const [main] = findings.places;
  if (main === undefined || levelOf(confidence) === 'low')
    return { paragraphs: [], confidence, isSure, brief: [], lines: [], about: '' };
  const way = await readWay(tools, question, cite);
  // A way is told from where it begins.
  const begin = way[0]?.from;
  const places =
    begin === undefined ? findings.places : [begin, ...findings.places.filter((place) => !isSame(place, begin))];
  const story = await readStory(
    { tools, question, effort, cite, weights, way },
    { ...findings, places: ofOneRepository(places, begin ?? main) },
    begin ?? main,
  );
  return {
    paragraphs: tell(story, characters),
    confidence,
    isSure,
    brief: tellBriefly(story),
    lines: tellLines(story),
    about: `${story.main.path} ${story.main.symbol}`,
  };
}

/** Places of the repository of the first one, and those that the question names: words alone are in any repository. */
function ofOneRepository(places: readonly CodePlace[], { repo }: CodePlace): CodePlace[] {
  return places.filter((place) => place.repo === repo || place.isNamed);
}

/** The way that a question asks for; nothing when it asks for none, or none is found. */
async function readWay(
  tools: Tools,
  { words, intent, names }: AskedQuestion,
  cite: Citer,
): Promise<readonly WayStep[]> {
  const ends = intent === 'explain' ? endsOf(words) : undefined;
  if (ends === undefined) return [];
  return (await findWay(tools, ends, { names, worthOf: (text) => cite.worthOf(text) })) ?? [];
}

function fit({ places, knownNames, unknownNames }: CodeFindings, weights: TermWeights): number {
  const best = places.filter(({ score }) => score < 1).slice(0, 3);
  const texts = (best.length === 0 ? places.slice(0, 3) : best).map(
    ({ symbol, path, body }) => `${symbol} ${path} ${body}`,
  );
  return confidenceOf({
    coverage: coverage(weights, texts),
    knownNames: knownNames.length,
    unknownNames: unknownNames.length,
    topScore: best.length === 0 ? Number(places.length > 0) : Math.max(...best.map(({ score }) => score)),
  });
}

type Reading = Pick<Story, 'tools' | 'question' | 'effort' | 'cite' | 'way'> & { weights: TermWeights };

async function readStory(reading: Reading, findings: CodeFindings, main: CodePlace): Promise<Story> {
  const { tools, question, effort, cite, weights, way } = reading;
  const wish = { weights, wanted: wantedLinesOf(question.words) };
  const [places, around, grepped, environment, enumeration] = await Promise.all([
    Promise.all(findings.places.slice(0, READ[effort]).map((place) => withDocumentation(tools, place))),
    main.symbol === '' ? NOTHING_AROUND : withDocumentation(tools, main).then((read) => lookAround(tools, read)),
    effort === 'quick' ? [] : grepLines(tools, wish),
    wish.wanted.includes('environment') ? grepEnvironment(tools) : [],
    wish.wanted.includes('environment') ? undefined : findEnumeration(tools, question.words, weights),
  ]);
  const callees = await readCallees(tools, around, places);
  const [first = main, ...rest] = places;
  const others = [...rest, ...callees];
  const called = others.filter((place) => around.callees.some((callee) => isSame(callee, place)));
  const constants = awaitLater(
    wish.wanted.includes('value') ? findConstants(tools, [first, ...others], weights) : Promise.resolve([]),
  );
  const hops =
    question.intent === 'explain' && effort !== 'quick' && way.length === 0
      ? await follow(tools, called, { known: [first, ...called], worthOf: (text) => cite.worthOf(text) })
      : [];
  const other =
    question.intent === 'compare'
      ? rest.find(({ isNamed, symbol }) => isNamed && symbol !== '' && lastPart(symbol) !== lastPart(first.symbol))
      : undefined;
  const rival: Story['rival'] = other === undefined ? undefined : [other, await lookAround(tools, other)];
  return {
    tools,
    question,
    effort,
    cite,
    main: first,
    others,
    around,
    hops,
    way,
    rival,
    lines: await readLines(
      tools,
      withConstants(findTellingLines([first, ...others, ...ofOneRepository(grepped, first)], wish), await constants),
      wish.wanted,
    ),
    environment,
    enumeration,
    calls: await readCallsOf(tools, others.slice(0, ALSO[effort])),
  };
}

const NOTHING_AROUND: Surroundings = {
  uses: [],
  totals: { uses: 0, tests: 0 },
  callees: [],
  parents: [],
  heirs: [],
};
const MOST_CALLEES = 4;

/** A hit with its signature and documentation, which a search does not give. */
async function withDocumentation(tools: Tools, place: CodePlace): Promise<CodePlace> {
  if (place.symbol === '') return place;
  if (place.isNamed) return locateDoc(tools, place);
  const read = await readSymbol(tools, place);
  return read === undefined ? place : locateDoc(tools, { ...place, ...ofDefinition(read) });
}

/** What only a definition tells of a place. */
function ofDefinition({ signature, doc, body, end, handle }: CodePlace): Partial<CodePlace> {
  return { signature, doc, body, end, ...(handle !== undefined && { handle }) };
}

/** What functions without documentation call: it says more of them than their signature. One call each. */
async function readCallsOf(tools: Tools, places: readonly CodePlace[]): Promise<Story['calls']> {
  const silent = places.filter(({ symbol, doc, body }) => symbol !== '' && doc === '' && body.trim().includes('\n'));
  const calls = await Promise.all(silent.map(async (place) => [place, await readCalls(tools, place)] as const));
  return new Map(calls);
}

/** The first things that a symbol calls, as far as they are not known yet. */
async function readCallees(tools: Tools, { callees }: Surroundings, known: readonly CodePlace[]): Promise<CodePlace[]> {
  const fresh = callees.filter((callee) => !known.some((place) => isSame(callee, place)));
  const repo = known[0]?.repo ?? '';
  const read = await Promise.all(fresh.slice(0, MOST_CALLEES).map((callee) => readPlace(tools, callee, repo)));
  return read.filter((callee) => callee !== undefined);
}

function isSame(a: Pick<CodePlace, 'symbol' | 'path'>, b: Pick<CodePlace, 'symbol' | 'path'>): boolean {
  return a.symbol === b.symbol && a.path === b.path;
}
