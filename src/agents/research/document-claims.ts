import type { Tools } from '../gather/tools.ts';
import { findWritten, readWritten, type WrittenHit, type WrittenText } from '../gather/written.ts';
import { introduceText } from '../prose/code.ts';
import { quote } from '../prose/prose.ts';
import { asks } from '../question/kinds.ts';
import { withVerbs } from '../question/word-forms.ts';
import type { Claim } from './claims.ts';
import { withLines } from './document-lines.ts';
import { type Passage, passagesOf } from './passages.ts';
import { quotePassage } from './quoted.ts';
import { countShared, readWish, searchWords, type Wish } from './wish.ts';

/** Sections that are looked at by where they stand, and of these that are read. */
const FOUND = 30;
const READ = 10;
/** What answers a part has that worth, and this share of that of the best. */
const LEAST_WORTH = 0.5;
const LEAST_SHARE = 0.8;
/** What is worth less is not even near. */
const LEAST_NEAR = 0.3;
const LEAST_SHARED = 2;
/** Passages of one section that are told. */
const MOST_OF_SECTION = 2;

/** Names of documents that list what changed. */
const CHANGES = /\b(?:change ?log|changes|history|news|release notes|releases|upgrad\w*|migrat\w*)\b/i;

/** Whether a text is a list of changes. */
export function isListOfChanges({
  path = '',
  title = '',
}: {
  path?: string | undefined;
  title?: string | undefined;
}): boolean {
  return CHANGES.test(`${path} ${title}`);
}

/**
 * What the documents say of a part: the passages that have most of its rare words, themselves or by their headings, and none that has
 * far less than the best. Where none has enough, the nearest one, marked as such. Two calls, one for each section that is read, and two
 * for each passage that is told.
 */
export async function claimDocuments(
  tools: Tools,
  part: { about: string; asked?: string; before: readonly string[]; others: readonly string[] },
  { most, since }: { most: number; since: string | undefined },
): Promise<Claim[]> {
  const { about, others } = part;
  const wish = await readWish(tools, part);
  const hits = await findWritten(tools, withVerbs(searchWords(wish, others)), {
    corpora: ['documents'],
    limit: FOUND,
    ...(since !== undefined && { since }),
  });
  // What became of something stands in lists of changes.
  const readable = hits.filter(
    (hit) =>
      isReadable(`${hit.title} ${hit.snippet}`, about) &&
      (!asks('history', about) || asks('beginning', about) || isListOfChanges(hit)),
  );
  const chosen = choose(await passagesIn(tools, readable.slice(0, READ), wish), wish);
  // Any document has the one word of a part that says no more.
  const told = chosen.slice(0, wish.own.size < 2 && wish.beside.size === 0 ? 1 : most);
  const claims = told.map((found, at) => claimOf(found, wish, charactersOf(others.length + 1, at)));
  return Promise.all(claims.map(async (claim) => ({ ...claim, evidence: await withLines(tools, claim.evidence) })));
}

/** The passages of some hits, the best first. One call a hit. */
async function passagesIn(tools: Tools, hits: readonly WrittenHit[], wish: Wish): Promise<Found[]> {
  const texts = (await readWritten(tools, hits)).filter(({ text }) => isReadable(text, wish.about));
  return texts
    .flatMap((text) =>
      passagesOf({ ...text, path: text.path ?? '', isOld: isListOfChanges(text) }, wish)
        .slice(0, MOST_OF_SECTION)
        .map((passage) => ({ ...passage, of: text })),
    )
    .toSorted((a, b) => b.worth - a.worth);
}

/** A passage is cut at a sentence before, and only one without any amid it. */
const SLACK = 200;

interface Found extends Passage {
  of: WrittenText;
}

/** Characters of all that is quoted of documents for a question of one part and for each further one, and the most for a passage. */
const CHARACTERS = 1_400;
const CHARACTERS_OF_FURTHER = 500;
const LONGEST = 900;

/** Characters of a passage: what answers a part best is told whole where it can be, the others shortly. */
function charactersOf(parts: number, rank: number): number {
  const ofPart = (CHARACTERS + CHARACTERS_OF_FURTHER * (parts - 1)) / parts;
  return Math.min(LONGEST, ofPart * (rank === 0 ? 0.65 : 0.35));
}

function choose(passages: readonly Found[], { own }: Wish): Found[] {
  const [best] = passages;
  if (best === undefined || best.worth < LEAST_NEAR) return [];
  if (best.worth < LEAST_WORTH) {
    // One word of several is near anything.
    const shared = countShared(own, `${best.text} ${best.section.heading}`);
    return shared >= Math.min(LEAST_SHARED, own.size) ? [best] : [];
  }
  const kept: Found[] = [];
  for (const passage of passages) {
    if (passage.worth < Math.max(LEAST_WORTH, best.worth * LEAST_SHARE)) break;
    const same = kept.findIndex((known) => isOfSection(known, passage));
    const first = kept[same];
    // What a section says begins with the first of what answers.
    if (first !== undefined && passage.place.from < first.place.from) kept[same] = { ...first, place: passage.place };
    const isKnown = kept.some(
      ({ text }) => text.includes(passage.text) || passage.text.includes(text) || overlaps(text, passage.text),
    );
    if (first === undefined && !isKnown) kept.push(passage);
  }
  return kept;
}

/** Whether two passages stand in one section, which is told once. Of a list of changes each stands alone. */
function isOfSection(a: Found, b: Found): boolean {
  return (
    !b.section.isOld && a.of.id === b.of.id && a.of.section === b.of.section && a.section.heading === b.section.heading
  );
}

/** Whether the end of one is the beginning of the other: runs of one paragraph. */
function overlaps(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return long.includes(short.slice(0, 60)) || long.includes(short.slice(-60));
}

/** A translation says again what another document says, to others. */
const OTHER_SCRIPT = /[^\p{Script=Latin}\p{Script=Common}]/gu;
const MOST_OF_OTHER_SCRIPT = 0.1;

function isReadable(text: string, about: string): boolean {
  return shareOfOtherScript(text) <= MOST_OF_OTHER_SCRIPT || shareOfOtherScript(about) > MOST_OF_OTHER_SCRIPT;
}

function shareOfOtherScript(text: string): number {
  return (text.match(OTHER_SCRIPT)?.length ?? 0) / Math.max(1, text.length);
}

/** How notes begin in some dialects of Markdown. */
const NOTE = /^(?:(?:!!!|\?\?\?)\s+\w+|:::\w+)\s+/;

function claimOf(found: Found, wish: Wish, most: number): Claim {
  const { of, worth, text: core } = found;
  const { id, kind, repo, path, section, date, title } = of;
  const { shown, text: said } = quotePassage(found, wish, most);
  const isNear = worth < LEAST_WORTH;
  const place = introduceText({ ...of, heading: innermost(found.section.heading) });
  const text = `${isNear ? 'The nearest that was found: ' : ''}${place} ${quote(shown.replace(NOTE, ''), most + SLACK)}.`;
  const evidence = { id, kind, repo, path, section, date, title, text: said };
  return {
    text,
    said: core,
    evidence: [evidence],
    corpus: 'documents',
    about: wish.about,
    date,
    voice: id,
    worth,
    ...(isNear && { isNear }),
  };
}

/** Characters of headings that are told. */
const LONGEST_HEADINGS = 80;

/** The last of some headings, which say most, as many as are read at once. */
function innermost(heading: string): string {
  const headings = heading.split(' › ');
  while (headings.length > 2 && headings.join(' › ').length > LONGEST_HEADINGS) headings.shift();
  return headings.join(' › ');
}
