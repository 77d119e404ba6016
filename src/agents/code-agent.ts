import { describeCall } from '../kernel/answer.ts';
import { termsOf } from '../kernel/terms.ts';
import { findCommits, lookAround, readHistory, type FileHistory, type Surroundings } from './gather/around.ts';
import { type CodeFindings, type CodePlace, type Effort, findCode, locateDoc, readSymbol } from './gather/code.ts';
import { follow, type Hop, readPlace } from './gather/follow.ts';
import { findWay, type WayStep } from './gather/way.ts';
import { asksForAside, isAside } from './gather/prefer.ts';
import type { Tools } from './gather/tools.ts';
import { findNaming, findWritten, readWritten, type WrittenHit, type WrittenText } from './gather/written.ts';
import { confidenceOf, levelOf } from './confidence.ts';
import type { Investigation } from './investigation.ts';
import { Ledger } from './ledger/ledger.ts';
import { Citer } from './prose/cite.ts';
import {
  alsoInvolved,
  compare,
  family,
  flow,
  introduce,
  knownBy,
  listCommits,
  listUses,
  quoteComment,
  quoteWritten,
} from './prose/code.ts';
import { tellWay } from './prose/way.ts';
import { endsOf } from './question/ends.ts';
import { coverage, type TermWeights, weighTerms } from './question/term-weights.ts';
import { day, type Paragraph, quote, type Sentence } from './prose/prose.ts';
import type { AskedQuestion } from './question/question.ts';
import { subjectOf } from './question/subject.ts';

/** Places that are read whole, with their documentation. */
const READ = { quick: 4, standard: 7, deep: 14 } as const;
/** Other places that an answer names. */
const ALSO = { quick: 2, standard: 5, deep: 8 } as const;
const WRITTEN = { quick: 0, standard: 2, deep: 5 } as const;
/** What people wrote counts only when it has that share of the best score there can be. */
const LEAST_SCORE = 0.45;

/** What was found for a question about code. */
interface Story {
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
  /** What the main place is compared with, in a question that compares. */
  rival: [CodePlace, Surroundings] | undefined;
}

/**
 * Answers a question about code from the index, without a model: 10 to 25 calls.
 *
 * @throws ServiceError when the code cannot be searched.
 */
export async function askCode(tools: Tools, question: AskedQuestion, effort: Effort): Promise<Investigation> {
  const findings = await findCode(tools, question, effort);
  const ledger = new Ledger();
  const weights = weighTerms(question.terms, findings.searched, findings.terms);
  const cite = new Citer(ledger, weights, (repo) => tools.commitOf(repo));
  const confidence = fit(findings, weights);
  const [main] = findings.places;
  if (main === undefined || levelOf(confidence) === 'low') {
    return { ledger, confidence, isRefused: true, ...refuse(cite, question, findings) };
  }
  const way = await readWay(tools, question, cite);
  // A way is told from where it begins.
  const begin = way[0]?.from;
  const places =
    begin === undefined ? findings.places : [begin, ...findings.places.filter((place) => !isSame(place, begin))];
  const story = await readStory(
    { tools, question, effort, cite, weights, way },
    { ...findings, places },
    begin ?? main,
  );
  return { ledger, confidence, isRefused: false, ...tell(story, findings) };
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
  const { tools, question, effort, cite, way } = reading;
  const [places, around, history, hits, beginnings] = await Promise.all([
    Promise.all(findings.places.slice(0, READ[effort]).map((place) => withDocumentation(tools, place))),
    main.symbol === '' ? NOTHING_AROUND : lookAround(tools, main),
    effort === 'quick' && question.intent !== 'owner' ? undefined : readHistory(tools, main),
    WRITTEN[effort] === 0 ? [] : findAbout(tools, question, main),
    question.intent === 'when' && COMING.test(question.words) ? findBeginnings(tools, question.words) : [],
  ]);
  // Some of them have no sentence to quote.
  const texts = readWritten(tools, hits.slice(0, 2 * WRITTEN[effort]));
  const callees = await readCallees(tools, around, places);
  const [first = main, ...rest] = places;
  const others = [...rest, ...callees];
  const called = others.filter((place) => around.callees.some((callee) => isSame(callee, place)));
  const hops =
    question.intent === 'explain' && effort !== 'quick' && way.length === 0
      ? await follow(tools, called, { known: [first, ...called], worthOf: (text) => cite.worthOf(text) })
      : [];
  const other =
    question.intent === 'compare' ? rest.find(({ isNamed, symbol }) => isNamed && symbol !== '') : undefined;
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
    history,
    written: (await texts).filter((text) => cite.isQuotable(text)).slice(0, WRITTEN[effort]),
    beginnings,
    rival,
  };
}

/** Ways to ask since when something is there. */
const COMING = /\b(?:introduced?|added|created?|appear(?:ed)?|first|since when)\b/i;
const MOST_BEGINNINGS = 3;

/** The oldest commits whose subjects have all words of what a question is about. One call. */
async function findBeginnings(tools: Tools, words: string): Promise<Story['beginnings']> {
  const subject = subjectOf(words.replace(COMING, ' ').replace(/\b(?:since )?when\b/gi, ' '));
  const weights = weighTerms([...new Set(termsOf(subject))], 1, {});
  const found = await findCommits(tools, subject, { limit: 50 });
  return found
    .filter((row) => coverage(weights, [row.subject]) === 1)
    .toSorted((a, b) => (a.date < b.date ? -1 : 1))
    .slice(0, MOST_BEGINNINGS);
}

const CORPORA = ['documents', 'decisions', 'plans', 'signals'] as const;
const NOTHING_AROUND: Surroundings = { uses: [], totals: { uses: 0, tests: 0 }, callees: [], parents: [], heirs: [] };
const MOST_CALLEES = 4;

/** What people wrote about the main place by name, then what fits the question. */
async function findAbout(tools: Tools, question: AskedQuestion, main: CodePlace): Promise<WrittenHit[]> {
  const [naming, fitting] = await Promise.all([
    findNaming(tools, main),
    findWritten(tools, question.words, { corpora: CORPORA, limit: 6 }),
  ]);
  const known = new Set(naming.map(({ id }) => id));
  return [...naming, ...fitting.filter(({ id, score }) => !known.has(id) && score >= LEAST_SCORE)];
}

/** A hit with its signature and documentation, which a search does not give. */
async function withDocumentation(tools: Tools, place: CodePlace): Promise<CodePlace> {
  if (place.symbol === '') return place;
  if (place.isNamed) return locateDoc(tools, place);
  const read = await readSymbol(tools, place);
  return read === undefined ? place : locateDoc(tools, { ...place, signature: read.signature, doc: read.doc });
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

/** Places that an answer shows when the index does not seem to contain what is asked for. */
const NEAREST = 4;

type Told = Pick<Investigation, 'composed'>;

/** What the index does not seem to contain, what comes nearest, and what would help. */
function refuse(cite: Citer, { names }: AskedQuestion, findings: CodeFindings): Told {
  const { unknownNames, places } = findings;
  const near = ofDifferentFiles(places).slice(0, NEAREST);
  const lead: Sentence = { text: 'What comes nearest:', sources: [] };
  const rows = near.map((place) => ({
    text: `\`${place.symbol === '' ? place.path : place.symbol.replaceAll('/', '.')}\` in ${place.path}.`,
    sources: [cite.place(place)],
  }));
  const missing = unknownNames.map((name) => `nothing in the index is called \`${name}\``);
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

function tell(story: Story, findings: CodeFindings): Told {
  const { main, question, around } = story;
  const gaps = findings.unknownNames.map((name) => `nothing in the index is called \`${name}\``);
  if (main.symbol !== '' && around.uses.length === 0 && ['usage', 'impact', 'explain'].includes(question.intent))
    gaps.push(
      `no code outside tests was found that uses \`${main.symbol.replaceAll('/', '.')}\`: it may be called by a framework, by name or from elsewhere`,
    );
  if (question.intent === 'why' && story.written.length === 0)
    gaps.push('no decision, plan or document gives the reason');
  return { composed: { paragraphs: PARTS[question.intent](story).flat(), gaps, next: nextCalls(story) } };
}

/** What an answer tells for each kind of question, in this order. */
const PARTS: Record<AskedQuestion['intent'], (story: Story) => Paragraph[][]> = {
  locate: (story) => [tellOpening(story), steps(story), tellOthers(story), tellWritten(story), people(story)],
  explain: (story) => [
    tellOpening(story),
    remark(story),
    steps(story),
    tellOthers(story),
    tellWritten(story),
    people(story),
  ],
  change: (story) => [
    tellOpening(story),
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
    tellWritten(story),
    commits(story, 2),
    steps(story),
    tellOthers(story),
  ],
  compare: (story) => [tellOpening(story), differences(story), tellOthers(story), tellWritten(story)],
  list: (story) => [tellOpening(story), tellOthers(story), tellWritten(story)],
};

function tellOpening({ cite, main, around }: Story): Paragraph[] {
  const sentences = [...introduce(cite, main, around.callees), ...family(cite, main, around)];
  return [{ sentences }];
}

function remark({ cite, main }: Story): Paragraph[] {
  const sentences = quoteComment(cite, main);
  return sentences.length === 0 ? [] : [{ sentences }];
}

function differences({ cite, main, around, rival }: Story): Paragraph[] {
  if (rival === undefined) return [];
  return [{ sentences: [...introduce(cite, rival[0], rival[1].callees), ...compare(cite, [main, around], rival)] }];
}

/** Who calls the main place, what it calls, and what that calls in turn, as one list. */
function steps({ cite, main, around, others, hops, way }: Story): Paragraph[] {
  if (way.length > 0) return [tellWay(cite, way)];
  const first = flow(cite, main, around, others);
  const further = hops.flatMap(({ place, callees, read }) => flow(cite, place, { uses: [], callees }, read));
  const sentences = [...first, ...further].flatMap((part) => part.sentences);
  return sentences.length === 0 ? [] : [{ sentences, isList: sentences.length > 1 }];
}

function relatives({ cite, main, around }: Story): Paragraph[] {
  const sentences = family(cite, main, around);
  return sentences.length === 0 ? [] : [{ sentences }];
}

function uses({ cite, main, around }: Story, most: number): Paragraph[] {
  return main.symbol === '' ? [] : listUses(cite, main, around, most);
}

/** Places of other files first: those of the same one are near when it is opened. */
function tellOthers({ cite, main, others: all, effort, around, hops, way, rival, question }: Story): Paragraph[] {
  const others = all.filter(
    ({ path, isNamed }) => isNamed || path === main.path || !isAside(path) || asksForAside(question.words),
  );
  // What the steps tell is not told twice.
  const calls =
    way.length > 0 ? way.map(({ to }) => to) : [...around.callees, ...hops.flatMap(({ callees }) => callees)];
  const told = new Set(calls.map(({ symbol, path }) => `${path} ${symbol}`));
  const symbols = new Set([main, ...others].flatMap(({ path, symbol }) => (symbol === '' ? [] : path)));
  const fresh = others.filter(({ path, symbol }) =>
    symbol === '' ? !symbols.has(path) : !told.has(`${path} ${symbol}`) && rival?.[0].symbol !== symbol,
  );
  const far = fresh.filter(({ path, isNamed }) => isNamed || path !== main.path);
  const near = fresh.filter((place) => !far.includes(place));
  const ranked = fresh.filter((place) => place.score > 0 || place.isNamed);
  const chosen = [...new Set([...ranked.slice(0, 2), ...far, ...near])].slice(0, ALSO[effort]);
  return alsoInvolved(cite, chosen);
}

function tellWritten({ cite, written }: Story): Paragraph[] {
  return written.length === 0 ? [] : [{ sentences: quoteWritten(cite, written) }];
}

function people({ cite, main, history }: Story): Paragraph[] {
  if (history === undefined) return [];
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

function nextCalls({ main, question }: Story): string[] {
  const query = main.symbol === '' ? `${main.path}:${main.start}-${main.end}` : `sym:${main.symbol}@${main.path}`;
  const read = describeCall('code-tool', { action: 'definition', query, detail: 'body' });
  if (main.symbol === '') return [read];
  const impact = describeCall('code-tool', { action: 'impact', query, depth: 2 });
  const used = describeCall('code-tool', { action: 'usages', query });
  return question.intent === 'usage' ? [used, impact, read] : [read, used, impact];
}
