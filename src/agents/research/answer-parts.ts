import type { Corpus } from '../gather/written.ts';
import { day, type Paragraph, quote, type Sentence } from '../prose/prose.ts';
import { asks } from '../question/kinds.ts';
import { isOld } from './collect.ts';
import { fitOf, fits, fitsBesidePlace, type PartWeights, weighParts } from './fit.ts';
import type { CitedFinding } from './research.ts';

/** Sentences that answer one part of a question. */
const MOST_SENTENCES = 4;
/** What has less of the words than this share of the best says less than it. */
const LEAST_SHARE = 0.75;
/** What is left of the worth of what only names a place, leads to what follows it, or was true once. */
const SAYS_LESS = 0.5;
/** A line that gives back what has a name says nothing of it. */
const GIVES_NAME = /`return [\w.]+;?`\.?$/;
/** So few commits are told one by one. */
const FEW_COMMITS = 2;

/** What speaks to each kind of question, the most telling first, and how many sentences of it. */
const SPEAKING: Record<'documents' | 'customers' | 'history' | 'since' | 'reason' | 'work', [Corpus, number][]> = {
  documents: [['documents', 3]],
  customers: [
    ['signals', 2],
    ['plans', 1],
    ['decisions', 1],
    ['competitors', 1],
  ],
  history: [
    ['commits', 3],
    ['documents', 2],
    ['decisions', 1],
  ],
  since: [
    ['commits', 1],
    ['documents', 2],
  ],
  reason: [
    ['decisions', 1],
    ['commits', 2],
    ['documents', 1],
    ['code', 1],
  ],
  work: [
    ['code', 2],
    ['documents', 2],
    ['decisions', 1],
    ['plans', 1],
  ],
};

/**
 * The answer to each part of a question in few sentences, under its words in the question, and the findings that they are taken from.
 * Pure.
 */
export function answerParts(
  findings: readonly CitedFinding[],
  subquestions: readonly string[],
  wordings: ReadonlyMap<string, string> = new Map(),
): { paragraphs: Paragraph[]; told: ReadonlySet<CitedFinding> } {
  const weights = weighParts(
    subquestions,
    findings.map(({ claim }) => claim),
  );
  const answers = subquestions.map((about) => {
    const own = findings.filter(({ claim }) => claim.about === about);
    return { about, ...answerPart(about, own, weights) };
  });
  const paragraphs = answers.map(({ about, sentences }): Paragraph => {
    const text =
      subquestions.length === 1 ? 'In short:' : `On ${quote((wordings.get(about) ?? about).replace(/\?$/, ''), 200)}:`;
    return { sentences: [{ text, sources: [] }, ...sentences], isList: true };
  });
  return {
    paragraphs: paragraphs.filter(({ sentences }) => sentences.length > 1),
    told: new Set(answers.flatMap(({ told }) => told)),
  };
}

function answerPart(
  about: string,
  own: readonly CitedFinding[],
  weights: PartWeights,
): { sentences: Sentence[]; told: CitedFinding[] } {
  const kind = kindOf(about);
  const commits = own.filter(({ claim }) => claim.corpus === 'commits').toSorted(byDate);
  const span =
    kind === 'history' && commits.length > FEW_COMMITS ? [commits.slice(0, 1), commits.slice(-1)].flat() : [];
  const chosen = SPEAKING[kind].flatMap(([corpus, most]) => {
    const rows = own.filter(
      (finding) =>
        finding.claim.corpus === corpus &&
        !span.includes(finding) &&
        // Who asks how something works is told of a document only what fits, also where there is no code.
        (kind !== 'work' || corpus !== 'documents' || fits(finding.claim, weights)),
    );
    return (corpus === 'code' ? chooseCode(rows, weights) : mostTelling(rows, weights)).slice(0, most);
  });
  const told = chosen.slice(0, MOST_SENTENCES);
  return {
    sentences: [...tellSpan(span, commits.length), ...told.map(({ sentence }) => sentence)],
    told: [...span, ...told],
  };
}

function kindOf(about: string): keyof typeof SPEAKING {
  if (asks('documents', about)) return 'documents';
  if (asks('since', about)) return 'since';
  if (asks('history', about)) return 'history';
  if (asks('customers', about) && !/^how\b/i.test(about)) return 'customers';
  return asks('why', about) ? 'reason' : 'work';
}

/** The place that is told first with what it does, and what else says most. What is only named is told when it fits the part. */
function chooseCode(rows: readonly CitedFinding[], weights: PartWeights): CitedFinding[] {
  const fitting = rows.filter(({ claim }) => fitsBesidePlace(claim, weights));
  const main = rows.find(({ claim }) => claim.introduces?.isNameOnly === false) ?? fitting[0];
  const [best] = mostTelling(
    fitting.filter((row) => row !== main && !GIVES_NAME.test(row.claim.text)),
    weights,
  );
  return [main, best].filter((row) => row !== undefined);
}

/** Those that have most of the words, the best first: of those alike the one that more voices support, then the older one. */
function mostTelling(rows: readonly CitedFinding[], weights: PartWeights): CitedFinding[] {
  const worth = new Map(rows.map((row) => [row, worthOf(row, weights)]));
  const ranked = rows
    .toSorted(byDate)
    .toSorted((a, b) => b.corroboration - a.corroboration)
    .toSorted((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0));
  const best = Math.max(0, ...worth.values());
  return ranked.filter((row) => (worth.get(row) ?? 0) >= best * LEAST_SHARE);
}

function worthOf({ claim }: CitedFinding, weights: PartWeights): number {
  const isOnce =
    claim.corpus === 'documents' && isOld(claim) && !asks('history', claim.about) && !asks('since', claim.about);
  const isLess = isOnce || claim.introduces?.isNameOnly === true || claim.said.endsWith(':');
  return fitOf(claim, weights) * (isLess ? SAYS_LESS : 1);
}

function byDate(a: CitedFinding, b: CitedFinding): number {
  return a.claim.date === b.claim.date ? 0 : a.claim.date < b.claim.date ? -1 : 1;
}

/** From when to when commits speak of it. */
function tellSpan([first, last]: readonly CitedFinding[], count: number): Sentence[] {
  if (first === undefined || last === undefined) return [];
  const [from, to] = [first, last].map(({ claim }) => `${day(claim.date)} (${quote(claim.said, 100)})`);
  const text = `${count} commits about it were found, from ${from} to ${to}.`;
  return [{ text, sources: [...first.sentence.sources, ...last.sentence.sources] }];
}
