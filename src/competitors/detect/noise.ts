import { createHash } from 'node:crypto';
import { type Block, countsOf, type PageText, subtractItems } from '../page/page-text.ts';

/** Most texts and places that are remembered of a page; the oldest go first. */
const MOST_TEXTS = 400;
const MOST_PLACES = 100;
/** A place is noise when at least this share of what stands there differed between fetches of one look. */
const PLACE_SHARE = 0.75;

/** Texts that a page itself has shown to be noise, newest last. Small enough to be stored with the page. */
export interface Noise {
  /** Hashes of texts, numbers left out, that came and went between fetches of one look. */
  texts: string[];
  /** Hashes of places where most of what stands there did. */
  places: string[];
}

export const NO_NOISE: Noise = { texts: [], places: [] };

export const textOf = ({ text }: Block): string => text;

/** The blocks that all fetches of one look have, in the order of the first one. */
function steadyBlocks(fetches: readonly PageText[]): Block[] {
  const [first, ...rest] = fetches;
  if (first === undefined) return [];
  return rest.reduce(
    (steady, { blocks }) => subtractItems(steady, subtractItems(steady, blocks, textOf), textOf),
    first.blocks,
  );
}

/** Learns from the fetches of one look: whatever not all of them have is no content that somebody changed. */
export function learnNoise(noise: Noise, fetches: readonly PageText[]): Noise {
  const steady = steadyBlocks(fetches);
  const passing = fetches.flatMap(({ blocks }) => subtractItems(blocks, steady, textOf));
  if (passing.length === 0) return noise;
  const steadyCounts = countsOf(steady.map(({ place }) => place));
  const places = Array.from(countsOf(passing.map(({ place }) => place)), ([place, count]) => ({
    place,
    share: count / fetches.length / (count / fetches.length + (steadyCounts.get(place) ?? 0)),
  })).filter(({ share }) => share >= PLACE_SHARE);
  return {
    texts: remember(
      noise.texts,
      passing.map(({ text }) => templateHash(text)),
      MOST_TEXTS,
    ),
    places: remember(
      noise.places,
      places.map(({ place }) => hashOf(place)),
      MOST_PLACES,
    ),
  };
}

/** Returns the blocks that all fetches of one look share and that are no noise: the stored content of a page. */
export function contentOf(fetches: readonly PageText[], noise: Noise): Block[] {
  const isNoise = noiseTest(noise);
  const bare = bareHeadings(fetches[0]?.blocks ?? [], isNoise);
  return steadyBlocks(fetches).filter((block) => !isNoise(block) && !(block.level > 0 && bare.has(block.text)));
}

/** Headings over nothing but noise, such as a list of customers that is drawn anew each time. */
function bareHeadings(blocks: readonly Block[], isNoise: (block: Block) => boolean): Set<string> {
  const bare = blocks.filter(({ level }, at) => {
    if (level === 0) return false;
    const end = blocks.findIndex((other, index) => index > at && other.level > 0 && other.level <= level);
    const below = blocks.slice(at, end === -1 ? undefined : end).filter((block) => block.level === 0);
    return below.length > 0 && below.every(isNoise);
  });
  return new Set(bare.map(textOf));
}

/** Returns a function that is true for noise. Headings have no location of their own, so only their texts count. */
export function noiseTest({ texts, places }: Noise): (block: Block) => boolean {
  const [knownTexts, knownPlaces] = [new Set(texts), new Set(places)];
  return ({ text, place, level }) =>
    knownTexts.has(templateHash(text)) || (level === 0 && knownPlaces.has(hashOf(place)));
}

function remember(remembered: readonly string[], added: readonly string[], most: number): string[] {
  const fresh = new Set(added);
  return [...remembered.filter((value) => !fresh.has(value)), ...fresh].slice(-most);
}

/** The text without its numbers: a counter is the same whatever it counts. */
function templateHash(text: string): string {
  return hashOf(text.toLowerCase().replaceAll(/\d[\d.,:]*/g, '#'));
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
