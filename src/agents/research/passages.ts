import { partsOf as wordsOf } from '../../kernel/terms.ts';
import { sentencesOf } from '../prose/excerpt.ts';
import { asks } from '../question/kinds.ts';
import { rootsOf, type TermWeights } from '../question/term-weights.ts';
import { rootOf } from '../question/word-forms.ts';
import { soughtOf } from '../question/topic.ts';
import { pairsOf } from '../question/word-pairs.ts';
import { type Block, blocksOf, type Span } from './blocks.ts';
import { OF_BESIDE, shareOf, type Wish } from './wish.ts';

/** A section of a document. */
export interface Section {
  /** Its heading with those above it: `Usage › Settings`. */
  heading: string;
  title: string;
  path: string;
  text: string;
  /** Whether it is of a list of changes. */
  isOld: boolean;
}

/** What of a section answers a part: sentences that stand together, an item of a list, a row of a table. */
export interface Passage {
  /** As it stands there. */
  text: string;
  /** How well it answers a part, 0..1. */
  worth: number;
  /** What it stands in: the section itself, or a definition of it, whose term is the last of the headings. */
  section: Section;
  /** Where it stands in the text of that. */
  place: Span;
}

/** What a word of the question counts by where it stands: in the passage itself 1. */
const IN_HEADING = 0.8;
/** A long list has all words somewhere: those of its first sentences count whole. */
const IN_REST = 0.6;
const FIRST_SENTENCES = 2;
const IN_HEADINGS_ABOVE = 0.5;
const IN_SECTION = 0.3;
/** A section whose heading names the subject and nothing else is about it, and begins with what it is. */
const OF_HEADING = 0.15;
const OF_BEGINNING = 0.06;
/** What is left of the worth where words that stand side by side in the question are apart. */
const APART = 0.75;
/** Words between two that belong together. */
const NEAR = 2;
/** What is left of the worth where the first sentence has no word of the part, the passage has not what is asked, and for what was true once. */
const WITHOUT_WORD = 0.85;
const WITHOUT_CUE = 0.35;
const AS_LEAD = 0.5;
/** A shorter lead says nothing without what follows it. */
const SHORTEST_LEAD = 70;
const ONCE = 0.6;
/** What is written with signs is named by few texts: one without it is about something else. */
const WITHOUT_LITERAL = 0.5;
/** What those who work on a product agreed on says nothing of it. */
const BESIDE_PRODUCT = 0.6;
const ASIDE =
  /\b(?:contribut\w*|maintain(?:er|ing)\w*|governance|code[-_ ]of[-_ ]conduct|project[-_]charter|agents\.md|claude\.md)/i;
const MOST_SENTENCES = 5;
const MOST_CHARACTERS = 480;

/** What is not so, or only under a condition. */
const LIMITING =
  /\b(?:not|never|cannot|only|no longer|unsupported|unless|without|\w+n['’]t|limit(?:s|ed|ation|ations)?|at most|up to|maximum|max_\w+|known issues?|does no)\b/i;
/** Words that lead to a reason. */
export const REASON =
  /\b(?:because|so that|since|in order to|to (?:avoid|prevent|ensure)|otherwise|due to|therefore|reasons?|motivation|no longer (?:\w+ )?(?:maintained|supported|needed|used|possible)|(?:which|that) (?:caused|made|meant|led))\b/i;

/** The passages of a section, the best first. Pure. */
export function passagesOf(section: Section, wish: Wish): Passage[] {
  return partsOf(section)
    .flatMap((part, at) => passagesIn(part, wish, at > 0))
    .toSorted((a, b) => b.worth - a.worth);
}

/** A section, and each definition in it as one whose heading is what it defines. */
function partsOf(section: Section): Section[] {
  const blocks = blocksOf(section.text);
  return [
    section,
    ...blocks.flatMap(({ kind, parts: [said], term }): Section[] => {
      if (kind !== 'definition' || said === undefined) return [];
      const heading = section.heading === '' ? term : `${section.heading} › ${term}`;
      return partsOf({ ...section, heading, text: section.text.slice(said.from, said.to) });
    }),
  ];
}

function passagesIn(section: Section, wish: Wish, isTerm: boolean): Passage[] {
  const blocks = blocksOf(section.text).filter(({ kind }) => kind !== 'definition' && kind !== 'code');
  const own = { ...section, text: blocks.map(({ from, to }) => section.text.slice(from, to)).join('\n\n') };
  const found = blocks.flatMap((block) => piecesOf(section.text, block));
  // What is said of a term may be too short for a sentence.
  const pieces =
    found.length > 0 || !isTerm ? found : blocks.slice(0, 1).map((block) => pieceOf(section.text, block, block));
  return pieces.map((_, at) => {
    const run = runFrom(section.text, pieces, { at, isAlone: section.isOld });
    return { text: run.text, worth: worthOf(run, own, wish), section, place: run.place };
  });
}

/** A sentence of a paragraph, an item of a list, or a row of a table. */
interface Piece extends Span {
  text: string;
  block: Block;
}

function pieceOf(text: string, { from, to }: Span, block: Block): Piece {
  return { from, to, text: text.slice(from, to), block };
}

function piecesOf(text: string, block: Block): Piece[] {
  if (block.kind === 'list' || block.kind === 'table') {
    return block.parts.map((part) => pieceOf(text, part, block));
  }
  const own = text.slice(block.from, block.to);
  let after = 0;
  return sentencesOf(own).flatMap((sentence) => {
    const from = own.indexOf(sentence, after);
    if (from === -1) return [];
    after = from + sentence.length;
    return [{ text: sentence, from: block.from + from, to: block.from + after, block }];
  });
}

/** Pieces that stand together, the first of them, and the first ones. */
interface Run {
  text: string;
  first: string;
  core: string;
  place: Span;
  /** Whether its section begins with it. */
  isBeginning: boolean;
}

/** A piece with those behind it in its block, and the list or table that it leads to. What changed at once has nothing else in common. */
function runFrom(text: string, pieces: readonly Piece[], { at, isAlone }: { at: number; isAlone: boolean }): Run {
  const [first] = pieces.slice(at, at + 1);
  if (first === undefined) return { text: '', first: '', core: '', place: { from: 0, to: 0 }, isBeginning: false };
  let [last, lastOfCore] = [first, first];
  const behind = isAlone ? [] : pieces.slice(at + 1, at + MOST_SENTENCES);
  for (const [index, next] of behind.entries()) {
    const isNear = next.block === last.block || (leads(last.text) && isLed(next.block));
    if (!isNear || next.to - first.from > MOST_CHARACTERS) break;
    last = next;
    if (index + 1 < FIRST_SENTENCES) lastOfCore = next;
  }
  return {
    text: text.slice(first.from, last.to),
    first: first.text,
    core: text.slice(first.from, lastOfCore.to),
    place: { from: first.from, to: last.to },
    isBeginning: at === 0,
  };
}

function leads(text: string): boolean {
  return /:\s*$/.test(text);
}

function isLed({ kind }: Block): boolean {
  return kind === 'list' || kind === 'table';
}
function worthOf(
  { text, first, core, isBeginning }: Run,
  section: Section,
  { about, own, beside, literals }: Wish,
): number {
  const headings = section.heading.split(/ (?:›|>) /);
  const around = `${section.title} ${headings.slice(0, -1).join(' ')} ${section.path.replace(/\.\w+$/, '')}`;
  const places = [
    [core, 1],
    [text, IN_REST],
    [headings.at(-1) ?? '', IN_HEADING],
    [around, IN_HEADINGS_ABOVE],
    [section.text, IN_SECTION],
  ] as const;
  const share = shareOf(own, places) + OF_BESIDE * shareOf(beside, places);
  const ofHeading = precisionOf(headings.at(-1) ?? '', [own, beside]);
  const said = `${text} ${section.heading} ${section.title}`.toLowerCase();
  const factors = [
    shareOf(own, [[`${first} ${isBeginning ? section.heading : ''}`, 1]]) > 0 ? 1 : WITHOUT_WORD,
    literals.length === 0 || literals.some((literal) => said.includes(literal)) ? 1 : WITHOUT_LITERAL,
    hasCue(about, `${text} ${section.isOld ? section.heading : ''}`, section.isOld) ? 1 : WITHOUT_CUE,
    section.isOld && !asks('history', about) && !asks('since', about) ? ONCE : 1,
    ASIDE.test(section.path) && !ASIDE.test(about) ? BESIDE_PRODUCT : 1,
    /(?::|\.\.\.|…)$/.test(text) && text.length < SHORTEST_LEAD ? AS_LEAD : 1,
  ];
  const pairs = pairsOf(soughtOf(about)).filter((pair) => pair.every((term) => own.has(term)));
  const isTogether =
    pairs.length === 0 || pairs.some((pair) => isNearIn(core, pair) || isNearIn(headings.at(-1) ?? '', pair));
  const worth = factors.reduce(
    (product, factor) => product * factor,
    (Math.min(1, share) + OF_HEADING * ofHeading) * (isTogether ? 1 : APART),
  );
  return worth + (isBeginning ? OF_BEGINNING : 0);
}

/** The share of the words of a heading that are of the question. */
function precisionOf(heading: string, [own, beside]: readonly [TermWeights, TermWeights]): number {
  const terms = [...new Set(wordsOf(heading).map(rootOf))];
  if (!terms.some((term) => own.has(term))) return 0;
  return terms.filter((term) => own.has(term) || beside.has(term)).length / terms.length;
}

/** Whether two words stand near each other in a text. */
function isNearIn(text: string, [first, second]: readonly [string, string]): boolean {
  const terms = rootsOf(text);
  return terms.some(
    (term, at) => term === first && terms.slice(Math.max(0, at - NEAR), at + NEAR + 1).includes(second),
  );
}

/** What a list of changes says of what came in. */
const BROUGHT = /\b(?:add(?:s|ed)?|introduc\w*|support(?:s|ed)?|new|allow(?:s|ed)?|initial)\b/i;

/** Since which version something is there. */
const SINCE_VERSION =
  /\b(?:new|added|introduced|since|available|supported|requires?)\b\W{0,4}(?:(?:in|with|from|since|as of)\b\W*)?(?:\w+\s+)?(?:version\s+)?v?\d+\.\d|\bv?\d+\.\d[\d.]*\s*(?:\+|\(?(?:and|or) (?:newer|later|above|up))|\bas of v?\d+\.\d/i;

/** Whether a passage has what is asked of a subject: a limit, a reason, or that it came in. */
function hasCue(about: string, text: string, isOld: boolean): boolean {
  if (asks('beginning', about) && !asks('why', about)) return (isOld ? BROUGHT : SINCE_VERSION).test(text);
  if (asks('limits', about) || /\blimits\b/i.test(about)) return LIMITING.test(text);
  return !asks('why', about) || REASON.test(text);
}
