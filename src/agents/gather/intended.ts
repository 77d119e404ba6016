import { z } from 'zod';
import { compareMeanings } from '../../signals/signals.ts';
import { shareSaid, termsByWord, waysToSay } from './near-words.ts';
import type { EvidenceKind } from '../ledger/ledger.ts';
import type { Tools } from './tools.ts';
import { findWritten, readWritten, type WrittenHit, type WrittenText } from './written.ts';

/** Plans and decisions that are looked through, and read. */
const MOST_LISTED = 50;
const MOST_READ = 4;
const INTENDED = { corpora: ['plans', 'decisions'], limit: 10 } as const;
/** Words of a question of which each is looked for by itself. */
const MOST_WORDS = 4;
/** One that has a larger share of the words is about what is asked. */
const LEAST_WORDS = 0.5;
/** Beside the best one, what fits so much less is about something else. */
const LEAST_OF_BEST = 0.8;
/** Nearest in meaning is what means so much the like; with none of the words, only what does so by far. */
const LEAST_MEANING = 0.55;
const LEAST_LEAD = 0.08;

/** A plan or a decision, and how it was found. */
export interface IntendedText {
  text: WrittenText;
  /** Share of the words of the question, near ones included, that it has, and that its title has. */
  share: number;
  titled: number;
  /** How near its meaning is, -1 to 1. */
  meaning: number;
}

const Plan = z.looseObject({ id: z.string(), title: z.string().catch(''), snippet: z.string().catch('') });

/** Plans and decisions about what a question asks, in its words or by what they mean, the best first. 3 to 30 calls. */
export async function findIntended(tools: Tools, things: readonly string[]): Promise<IntendedText[]> {
  const hits = await candidates(tools, things);
  const query = things.join(' ');
  const named = hits.map(({ title, snippet }) => `${title}. ${snippet}`);
  const meanings = await compareMeanings(query, named);
  const ranked = hits
    .map((hit, at) => ({
      hit,
      worth: wordsIn(things, [named[at] ?? '']) + wordsIn(things, [hit.title]) + (meanings[at] ?? 0),
    }))
    .toSorted((a, b) => b.worth - a.worth)
    .slice(0, MOST_READ);
  const read = await readWritten(
    tools,
    ranked.map(({ hit }) => hit),
  );
  const texts = read.map(({ title, text, parts }) => [title, text, ...parts.map((part) => part.text)]);
  const near = await compareMeanings(
    query,
    texts.map((all) => all.join('. ')),
  );
  const titles = await compareMeanings(
    query,
    read.map(({ title }) => title),
  );
  return read
    .map((text, at) => ({
      text,
      share: wordsIn(things, texts[at] ?? []),
      titled: wordsIn(things, [text.title]),
      meaning: Math.max(near[at] ?? 0, titles[at] ?? 0),
    }))
    .toSorted((a, b) => worthOf(b) - worthOf(a));
}

/** Those that have the words that are asked for, or words near to them, and fit nearly as well as the best of those that are asked for. */
export function aboutAsked(
  found: readonly IntendedText[],
  isAskedFor: (kind: EvidenceKind) => boolean,
): IntendedText[] {
  const fitting = found.filter(({ share }) => share > LEAST_WORDS);
  const asked = fitting.filter(({ text }) => isAskedFor(text.kind));
  const leastOf = ([best]: readonly IntendedText[]): number => LEAST_OF_BEST * (best === undefined ? 0 : worthOf(best));
  const others = fitting.filter((text) => !asked.includes(text) && worthOf(text) >= leastOf(fitting));
  return [...asked.filter((text) => worthOf(text) >= leastOf(asked)), ...others];
}

/** The one that clearly means what is asked, in other words. */
export function nearestInMeaning(found: readonly IntendedText[]): IntendedText | undefined {
  const [best, next] = found.toSorted((a, b) => b.meaning - a.meaning);
  if (best === undefined || best.meaning < LEAST_MEANING) return undefined;
  const lead = best.meaning - (next?.meaning ?? 0);
  return best.share > 0 || lead >= LEAST_LEAD ? best : undefined;
}

function worthOf({ share, titled, meaning }: IntendedText): number {
  return share + titled + meaning;
}

/** Of several things the one that there is most of. */
function wordsIn(things: readonly string[], texts: readonly string[]): number {
  return Math.max(...things.map((thing) => shareSaid(thing, texts)));
}

/** All plans, if there are few, and decisions with one of the words or a near one. */
async function candidates(tools: Tools, things: readonly string[]): Promise<WrittenHit[]> {
  const words = things.flatMap((thing) => [...termsByWord(thing).values()]).slice(0, MOST_WORDS);
  const queries = [...things, ...words.flatMap((word) => waysToSay(word, true))];
  const [listed, ...found] = await Promise.all([
    tools.ask('document-search-tool', { action: 'search', query: '', types: ['plan'], limit: MOST_LISTED }, Plan),
    ...queries.map((query) => findWritten(tools, query, INTENDED)),
  ]);
  const plans = (listed?.rows ?? []).map(({ id, title, snippet }): WrittenHit => {
    return { corpus: 'plans', id, title, where: '', snippet, score: 0 };
  });
  const all = [...found.flat(), ...plans].map((hit) => ({ ...hit, section: undefined }));
  return [...Map.groupBy(all, ({ id }) => id).values()].flatMap(([first]) => first ?? []);
}
