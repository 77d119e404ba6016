import { describeCall } from '../../kernel/answer.ts';
import { termsOf } from '../../kernel/terms.ts';
import { isType } from '../gather/around.ts';
import { type CodePlace, type Effort, findNamed } from '../gather/code.ts';
import { findMentioned } from '../gather/mentioned.ts';
import { type ReadScope, readNamedScope, readScope, WHOLE } from '../gather/scope.ts';
import { handleOf } from '../gather/structure.ts';
import type { Tools } from '../gather/tools.ts';
import { findWritten, readWritten } from '../gather/written.ts';
import type { Inquiry } from './inquiry.ts';
import type { Investigation } from '../prose/investigation.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Citer } from '../prose/cite.ts';
import { quoteWritten } from '../prose/code.ts';
import { listNames, type Paragraph } from '../prose/prose.ts';
import { mentionsOf } from '../question/mentions.ts';
import { describedBy, whichOf } from '../question/phrases.ts';
import { wordingsOf } from '../question/parts.ts';
import type { AskedQuestion } from '../question/question.ts';
import { weighTerms } from '../question/term-weights.ts';
import { type Topic, topicsOf } from '../question/topics.ts';
import { tellCoupling, tellHotspots, tellOwner } from './history.ts';
import { tellCycles } from './cycles.ts';
import { tellEntries, tellLayers } from './parts.ts';
import { tellPath } from './path.ts';
import { tellSize } from './size.ts';

const SHOWN = { quick: 2, standard: 4, deep: 8 } as const;

/**
 * Answers a question about structure from the graph of imports, history and decisions; undefined where it does not say what of them
 * it is about. 3 to 25 calls, without a model.
 */
export async function askStructure(
  tools: Tools,
  question: AskedQuestion,
  effort: Effort,
): Promise<Investigation | undefined> {
  const topics = inOrder(topicsOf(question.words), question.intent);
  const [read, ...places] = await Promise.all([
    scopeOf(tools, question.words, topics),
    ...question.names.map(async (name) => findNamed(tools, name)),
  ]);
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(question.terms, 1, {}), (repo) => tools.commitOf(repo));
  // A folder is found as the part of the code that a question is about.
  const missing = question.names.filter((name, at) => places[at]?.length === 0 && !isFolder(read, name));
  const notes: string[] = [];
  // A type is meant, not its constructor of the same name.
  const written = places.flatMap((found) => found.find(isType) ?? found.slice(0, 1));
  const named = written.length > 0 ? written : await readMentions(tools, question.words, notes);
  const inquiry: Inquiry = {
    tools,
    question,
    cite,
    most: SHOWN[effort],
    named,
    scope: named.length === 0 ? read.scope : undefined,
    gaps: missing.map((name) => `nothing in the index is called \`${name}\``),
    notes,
    readings: [],
    unknown: [],
    isGuessed: read.isGuessed,
    absent: [],
  };
  const wordings = [...wordingsOf(question.words).values()];
  const rest = wordings.length > 1 ? wordings.filter((part) => isLeft(part, question.words, topics)) : [];
  for (const part of rest) inquiry.gaps.push(`“${part}” was not answered: ask it separately`);
  const isLost = missing.length > 0 && named.length === 0;
  const told = isLost ? [] : await tellTopics(inquiry, topics);
  const paragraphs = told.flat().filter(({ sentences }) => sentences.length > 0);
  const isOnTopic = topics.some((topic) => topic !== 'reason');
  const readings = [...new Set([...(named.length === 0 ? read.readings : []), ...inquiry.readings])];
  const isWider = named.length === 0 && read.unknown.length > 0;
  const unknown = [...inquiry.unknown, ...(isWider ? [notFound(read, paragraphs.length > 0)] : [])];
  if (paragraphs.length === 0 && inquiry.absent.length === 0 && unknown.length === 0) return undefined;
  return {
    ledger,
    confidence: confidenceIn({
      isOnTopic,
      isRanked: topics.some((topic) => RANKED.has(topic)) && paragraphs.length > 0,
      isMissed: unknown.length > 0 || inquiry.isGuessed,
      isWhole: inquiry.gaps.length === 0 && readings.length === 0,
    }),
    isRefused: false,
    lead: [...unknown, ...readings, ...inquiry.absent].join(' '),
    composed: { paragraphs, gaps: [...new Set([...inquiry.gaps, ...inquiry.notes])], next: nextCalls(topics, inquiry) },
  };
}

/** What is told of each topic; of who made it last, as that may be asked of what another topic is answered with. */
async function tellTopics(inquiry: Inquiry, topics: readonly Topic[]): Promise<Paragraph[][]> {
  const others = topics.filter((topic) => topic !== 'owner');
  const told = await Promise.all(others.map((topic) => PARTS[topic](inquiry)));
  return others.length === topics.length ? told : [...told, await tellOwner(inquiry)];
}

/** Topics of which an answer tells what comes first in an order of its own, which need not be the one that was meant. */
const RANKED: ReadonlySet<Topic> = new Set<Topic>(['hotspots', 'coupling', 'size']);

/** Sure of what was named and told in full, never of an order or of what words were likened to, and unsure of what was not found. */
function confidenceIn({
  isOnTopic,
  isRanked,
  isMissed,
  isWhole,
}: {
  isOnTopic: boolean;
  isRanked: boolean;
  isMissed: boolean;
  isWhole: boolean;
}): number {
  if (isMissed) return 0.3;
  if (!isOnTopic) return 0.4;
  return isWhole && !isRanked ? 0.9 : 0.5;
}

/** What a question names by words that are written as in the code, with what is called the same in another case. */
async function readMentions(tools: Tools, words: string, notes: string[]): Promise<CodePlace[]> {
  const found = await Promise.all(mentionsOf(words).map((mention) => findMentioned(tools, mention)));
  return found.flatMap((mentioned) => {
    if (mentioned === undefined) return [];
    const { place, other } = mentioned;
    if (other !== undefined)
      notes.push(
        `\`${other.symbol}\` (${other.kind}, ${other.path}:${other.start}) is not \`${place.symbol}\` (${place.kind})`,
      );
    return [place];
  });
}

/** Who asks why is told the reason first, and no map of all parts. */
function inOrder(topics: readonly Topic[], intent: AskedQuestion['intent']): Topic[] {
  if (intent !== 'why' || !topics.includes('reason')) return [...topics];
  return ['reason', ...topics.filter((topic) => topic !== 'reason' && topic !== 'layers')];
}

/** The part that a question is narrowed to, by what is asked of it. */
async function scopeOf(tools: Tools, words: string, topics: readonly Topic[]): Promise<ReadScope> {
  if (topics.some((topic) => NARROWED.has(topic))) return readScope(tools, words);
  return topics.some((topic) => topic === 'layers' || topic === 'entries') ? readNamedScope(tools, words) : WHOLE;
}

/** Whether a part of a question asks for something that its topics do not answer. */
function isLeft(part: string, words: string, topics: readonly Topic[]): boolean {
  const isTold = topics.includes('layers') && whichOf(words).some((does) => part.includes(does));
  // `and by which path?` asks for more of the same.
  return ASKS.test(part) && topicsOf(part).length === 0 && describedBy(part) !== undefined && !isTold;
}

/** What is no question is no part that wants an answer: `I'm new here`. */
const ASKS = /\b(?:what|which|who|whom|whose|where|when|why|how|does|do|is|are|can|has|have)\b/i;

/** Topics that a part of the repository narrows. */
const NARROWED: ReadonlySet<Topic> = new Set<Topic>(['cycles', 'hotspots', 'coupling', 'owner', 'size']);

function notFound({ unknown, scope }: ReadScope, isTold: boolean): string {
  const names = listNames(
    unknown.map((name) => `“${name}”`),
    3,
  );
  const rest = isTold ? `, so this is about ${scope?.name ?? 'the whole repository'}` : '';
  return `No folder, package or file is called ${names}${rest}.`;
}

function isFolder({ scope }: ReadScope, name: string): boolean {
  return scope?.folders.some((folder) => folder === name || folder.endsWith(`/${name}`)) ?? false;
}

/** What is told of each topic. */
const PARTS: Record<Topic, (inquiry: Inquiry) => Promise<Paragraph[]>> = {
  path: tellPath,
  cycles: tellCycles,
  hotspots: tellHotspots,
  coupling: tellCoupling,
  owner: tellOwner,
  size: tellSize,
  entries: tellEntries,
  layers: tellLayers,
  reason: tellReason,
};

async function tellReason({ tools, question, cite, most, gaps }: Inquiry): Promise<Paragraph[]> {
  const hits = await findWritten(tools, question.words, { corpora: ['decisions', 'plans', 'documents'], limit: most });
  const read = await readWritten(tools, hits.slice(0, most));
  // What documents say is no reason when it has few of the words; decisions and plans are about one by themselves.
  const texts = read.filter(({ kind, heading, text }) => {
    const said = new Set(termsOf(`${heading} ${text}`));
    return kind !== 'document' || question.terms.filter((term) => said.has(term)).length > question.terms.length / 2;
  });
  if (texts.length === 0) gaps.push('no decision, plan or document was found that says why');
  return texts.length === 0 ? [] : [{ sentences: quoteWritten(cite, texts) }];
}

function nextCalls(topics: readonly Topic[], { named: [place], scope }: Inquiry): string[] {
  const path = place?.path ?? scope?.path;
  const at = path === undefined ? {} : { path };
  const calls: Record<Topic, string> = {
    path: describeCall('code-tool', {
      action: 'dependencies',
      ...(place !== undefined && { query: handleOf(place) }),
      depth: 2,
    }),
    cycles: describeCall('code-tool', { action: 'smells', kind: ['cycle'] }),
    hotspots: describeCall('commit-tool', { action: 'hotspots', ...at }),
    coupling: describeCall('commit-tool', { action: 'coupling', ...at }),
    owner: describeCall('commit-tool', { action: 'classify', group_by: 'author', ...at }),
    size: describeCall('code-tool', { action: 'smells', ...at }),
    entries: describeCall('code-tool', { action: 'map', ...at }),
    layers: describeCall('code-tool', { action: 'map', ...at }),
    reason: describeCall('search-tool', { query: 'architecture decision', corpora: ['decisions', 'plans'] }),
  };
  return topics.map((topic) => calls[topic]);
}
