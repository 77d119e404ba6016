import type { Corpus } from '../gather/written.ts';
import { type Paragraph, quote, type Sentence } from '../prose/prose.ts';
import { asks, asksPast } from '../question/kinds.ts';
import type { Claim } from './claims.ts';
import { isListOfChanges } from './document-claims.ts';
import { fitOf, fits, fitsBesidePlace, type PartWeights, weighParts } from './fit.ts';
import { REASON } from './passages.ts';
import type { CitedFinding } from './research.ts';

/** Sentences that answer one part of a question. */
const MOST_SENTENCES = 5;
/** What has less of the words than this share of the best says less than it. */
const LEAST_SHARE = 0.75;
/** What is left of the worth of what only names a place, leads to what follows it, or was true once. */
const SAYS_LESS = 0.5;
/** A line that gives back what has a name says nothing of it. */
const GIVES_NAME = /`return [\w.]+;?`\.?$/;
/** The same beside what says most of a part in any corpus. */
const LEAST_SHARE_OF_PART = 0.7;
/** The same for code beside a document that says most: names share words with anything. */
const LEAST_BESIDE_DOCUMENTS = 0.9;
/** A place whose name and lines have less of the words is about something else. */
const LEAST_OF_CODE = 0.5;

/** What speaks to each kind of question, the most telling first, and how many sentences of it. */
const SPEAKING: Record<
  'documents' | 'customers' | 'beginning' | 'history' | 'since' | 'reason' | 'work',
  [Corpus, number][]
> = {
  documents: [['documents', 3]],
  customers: [
    ['signals', 2],
    ['plans', 1],
    ['decisions', 1],
    ['competitors', 1],
  ],
  beginning: [
    ['documents', 2],
    ['commits', 2],
  ],
  history: [
    ['commits', 5],
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
  const firm = own.filter(({ claim }) => isFirm(claim, weights));
  const best = Math.max(0, ...firm.map((finding) => worthOf(finding, weights)));
  const worthwhile =
    kind === 'work'
      ? firm.filter(
          (finding) => finding.claim.worth === undefined || worthOf(finding, weights) >= best * LEAST_SHARE_OF_PART,
        )
      : firm;
  const speaking = isBestIn('documents', worthwhile, weights) ? documentsFirst(SPEAKING[kind]) : SPEAKING[kind];
  const chosen = speaking.flatMap(([corpus, most]) => {
    const rows = worthwhile.filter(({ claim }) => claim.corpus === corpus);
    const ranked = corpus === 'code' ? chooseCode(rows, weights) : mostTelling(rows, weights);
    // Beside what the documentation says, code is where to look.
    if (corpus === 'code' && speaking[0]?.[0] === 'documents')
      return ranked
        .filter((row) => row.claim.worth === undefined || row.claim.worth >= best * LEAST_BESIDE_DOCUMENTS)
        .slice(0, 1);
    // What became of something is told in its order.
    return corpus === 'commits' && asksPast(about) ? ranked.slice(0, most).toSorted(byDate) : ranked.slice(0, most);
  });
  const nearest = chosen.length === 0 ? own.filter(({ claim }) => claim.isNear === true).slice(0, 1) : [];
  const told = [...chosen.slice(0, MOST_SENTENCES), ...nearest];
  return { sentences: told.map(({ sentence }) => sentence), told };
}

/** Whether a claim says enough of its part to answer it. A place that is only named does when it has the words. */
function isFirm(claim: Claim, weights: PartWeights): boolean {
  if (claim.isNear === true) return false;
  if (claim.corpus === 'code') {
    if (asksPast(claim.about) && !REASON.test(claim.text)) return false;
    return claim.worth === undefined || claim.worth >= LEAST_OF_CODE;
  }
  // Who asks how something works is told of a document only what fits, also where there is no code.
  return (
    claim.corpus !== 'documents' || claim.worth !== undefined || kindOf(claim.about) !== 'work' || fits(claim, weights)
  );
}

/** Whether what says most is of a corpus. */
function isBestIn(corpus: Corpus, own: readonly CitedFinding[], weights: PartWeights): boolean {
  const [best] = own.toSorted((a, b) => worthOf(b, weights) - worthOf(a, weights));
  return best?.claim.corpus === corpus && best.claim.worth !== undefined;
}

function documentsFirst(speaking: readonly [Corpus, number][]): [Corpus, number][] {
  return speaking.toSorted(([a], [b]) => Number(b === 'documents') - Number(a === 'documents'));
}

function kindOf(about: string): keyof typeof SPEAKING {
  if (asks('documents', about)) return 'documents';
  if (asks('beginning', about) && !asks('why', about)) return 'beginning';
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
  if (claim.worth !== undefined) return claim.introduces?.isNameOnly === true ? claim.worth * SAYS_LESS : claim.worth;
  const [source] = claim.evidence;
  const isOnce =
    claim.corpus === 'documents' &&
    source !== undefined &&
    isListOfChanges(source) &&
    !asks('history', claim.about) &&
    !asks('since', claim.about);
  const isLess = isOnce || claim.introduces?.isNameOnly === true || claim.said.endsWith(':');
  return fitOf(claim, weights) * (isLess ? SAYS_LESS : 1);
}

function byDate(a: CitedFinding, b: CitedFinding): number {
  return a.claim.date === b.claim.date ? 0 : a.claim.date < b.claim.date ? -1 : 1;
}
