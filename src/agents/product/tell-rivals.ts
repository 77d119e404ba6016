import { describeCall } from '../../kernel/answer.ts';
import { NAMES } from '../gather/asked-customers.ts';
import type { Effort } from '../gather/code.ts';
import { comparedIn, findRivals } from '../gather/rivals.ts';
import { hearSignals, type SignalRow, type Voices } from '../gather/signals.ts';
import type { Tools } from '../gather/tools.ts';
import { readWritten, type WrittenText } from '../gather/written.ts';
import { Ledger } from '../ledger/ledger.ts';
import { Citer } from '../prose/cite.ts';
import type { Investigation } from '../prose/investigation.ts';
import { tellNamed } from '../prose/voices.ts';
import type { AskedQuestion } from '../question/question.ts';
import { hasSubjectOfVoices } from '../question/subject.ts';
import { weighTerms } from '../question/term-weights.ts';
import { mostTelling, READ, signalHit } from './product-findings.ts';

/** What customers do with competitors, which is no subject of its own. */
const COMPARING =
  /\b(?:switch\w*|mov(?:es?|ed|ing)|chang(?:es?|ed|ing)|leav(?:es?|ing)|left|go(?:es|ing)?|went|prefer\w*|compar\w+|do|doing|better|worse|cheaper|name[ds]?|instead|alternatives?|rivals?|back|over|to|than|with|according|other)\b/gi;
/** A name alone says little of what is meant. */
const NAMED = 0.5;

interface Rival {
  name: string;
  voices: Voices;
  read: readonly WrittenText[];
}

/**
 * Answers which competitors customers name, how often, and in what words; of those that the question names these alone. Undefined where
 * the question is about something else of theirs, or customers compare with none.
 */
export async function tellRivals(
  tools: Tools,
  { words, terms }: AskedQuestion,
  { effort, customer, gaps }: { effort: Effort; customer?: string | undefined; gaps: readonly string[] },
): Promise<Investigation | undefined> {
  const asked = words.match(NAMES) ?? [];
  if (asked.length === 0 && hasSubjectOfVoices(words.replaceAll(COMPARING, ' '))) return undefined;
  const names = asked.length === 0 ? await findRivals(tools) : asked;
  const most = names.length === 1 ? READ[effort] : 1;
  const heard = await Promise.all(names.map((name) => hearRival(tools, name, { customer, most })));
  const rivals = heard
    .filter((rival) => rival !== undefined)
    .toSorted((a, b) => b.voices.signals.length - a.voices.signals.length);
  const [first] = rivals;
  if (first === undefined) return undefined;
  const ledger = new Ledger();
  const cite = new Citer(ledger, weighTerms(terms, 1, {}), (repo) => tools.commitOf(repo));
  const sentences = rivals.flatMap((rival) => tellNamed(cite, rival));
  const among = customer === undefined ? first.voices.searched.toLocaleString('en') : `those of ${customer}`;
  const lead = {
    text: `Competitors that customers compare with, by how many signals of ${among} mention them:`,
    sources: sentences.flatMap(({ sources }) => sources),
  };
  return {
    ledger,
    confidence: NAMED,
    isRefused: false,
    composed: {
      paragraphs: [...(rivals.length > 1 ? [{ sentences: [lead] }] : []), { sentences, isList: sentences.length > 1 }],
      // What nobody watches is told of those alone that are asked for.
      gaps: asked.length === 0 ? [] : [...gaps],
      next: [describeCall('document-search-tool', { action: 'search', query: first.name })],
    },
  };
}

/** The signals that name a competitor, if some compare with it, and those of them that are quoted. */
async function hearRival(
  tools: Tools,
  name: string,
  { customer, most }: { customer: string | undefined; most: number },
): Promise<Rival | undefined> {
  const voices = await hearSignals(tools, { query: name, customer, mostThemes: 1 });
  const isCompared = ({ snippet }: SignalRow): boolean =>
    comparedIn(snippet).some((other) => other.toLowerCase() === name.toLowerCase());
  const comparing = voices.isNamed ? voices.signals.filter(isCompared) : [];
  if (comparing.length === 0) return undefined;
  const telling = mostTelling(comparing, weighTerms([name.toLowerCase()], 1, {}));
  return { name, voices, read: await readWritten(tools, telling.slice(0, most).map(signalHit)) };
}
