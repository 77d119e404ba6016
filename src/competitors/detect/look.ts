import { excerpt } from '../../kernel/shown-values.ts';
import { type ChangeKind, pageKind } from '../page/page-kind.ts';
import { type Block, type PageText, subtractItems, pageWords } from '../page/page-text.ts';
import { compareBlocks, type Difference, isSame, retainedShare } from './compare.ts';
import { judge, type Judgement } from './judge.ts';
import type { Statement } from './statement.ts';
import { stateChange } from './statements.ts';
import { contentOf, learnNoise, type Noise, NO_NOISE, noiseTest, textOf } from './noise.ts';

/** Fetches of a first look: what differs between them is noise from the start on. */
const FIRST_FETCHES = 4;
/** Fetches of a later look that sees a change, the first one among them. */
const MOST_FETCHES = 3;
/** Entries of a feed that are remembered: one that comes back is not new. */
const MOST_ENTRIES = 500;
/** Share of its words below which a page is taken for another page, until a second look shows the same. */
const REPLACED_SHARE = 0.25;
/** A page that stays with no more of its words is reported as one that collapsed. */
const COLLAPSED_SHARE = 0.1;
const SHOWN_CHARACTERS = 80;

/** State of a page that is stored between two looks. */
export interface PageState {
  blocks: Block[];
  noise: Noise;
  /** True if the previous look saw quite another page. */
  isDoubted: boolean;
}

interface Change extends Judgement {
  statements: Statement[];
  added: string[];
  removed: string[];
}

/** Result of a look. `isReplaced`: another page, such as one about maintenance, so nothing is reported until it stays. */
export interface Look {
  state: PageState;
  change?: Change;
  isReplaced?: boolean;
}

/**
 * Looks at a page: fetches it once when nothing changed, and again to tell a change from what differs at each fetch. `fetch`
 * gives nothing when it failed, and then the look has no result.
 */
export async function lookAt(page: {
  url: string;
  /** Kind that somebody set; without it, the address and the headings of the page decide. */
  kind?: ChangeKind;
  state: PageState | undefined;
  fetch: () => Promise<PageText | undefined>;
}): Promise<Look | undefined> {
  const { state, fetch } = page;
  if (state === undefined) return firstLook(fetch);
  const first = await fetch();
  if (first === undefined) return undefined;
  const fetches = [first];
  let noise = state.noise;
  let difference = differenceOf(state, noise, fetches);
  while (!isSame(difference) && fetches.length < MOST_FETCHES) {
    const next = await fetch();
    if (next === undefined) return undefined;
    fetches.push(next);
    noise = learnNoise(noise, fetches);
    difference = differenceOf(state, noise, fetches);
  }
  const steady = contentOf(fetches, noise);
  const blocks = first.isFeed
    ? [...steady, ...subtractItems(state.blocks, steady, textOf)].slice(0, MOST_ENTRIES)
    : steady;
  if (isSame(difference)) return { state: { ...state, noise, blocks, isDoubted: false } };
  if (!first.isFeed && !state.isDoubted && retainedShare(state.blocks, blocks) < REPLACED_SHARE) {
    return { state: { ...state, isDoubted: true }, isReplaced: true };
  }
  const [added, removed] = [difference.added.map(({ text }) => text), difference.removed.map(({ text }) => text)];
  const { url, kind = first.isFeed ? 'changelog' : pageKind(url, [first.title, ...headingsOf(blocks)]) } = page;
  const judgement = judge({ url, pageKind: kind, before: state.blocks, after: blocks, difference });
  const statements = stateChange(state.blocks, blocks, difference);
  const collapse = first.isFeed ? undefined : stateCollapse(state.blocks, blocks);
  const change = { ...judgement, statements, added, removed };
  return {
    state: { blocks, noise, isDoubted: false },
    change: collapse === undefined ? change : withCollapse(change, collapse),
  };
}

/** States what remains of a page that lost nearly all of its words. */
function stateCollapse(before: readonly Block[], after: readonly Block[]): Statement | undefined {
  const [old, next] = [before, after].map((blocks) => blocks.flatMap(({ text }) => pageWords(text)).length) as [
    number,
    number,
  ];
  if (old === 0 || next > COLLAPSED_SHARE * old) return undefined;
  const words = after.map(({ text }) => text).join(' ');
  const shown = excerpt(words, SHOWN_CHARACTERS);
  const text = `The page shows only ${next} of ${old} words: "${shown}"`;
  return { kind: 'page', subject: '', attribute: '', before: `${old} words`, after: shown, text };
}

function withCollapse(change: Change, collapse: Statement): Change {
  const reasons = ['the page lost nearly all of its words', ...change.reasons];
  return { ...change, severity: 'high', reasons, statements: [collapse, ...change.statements] };
}

async function firstLook(fetch: () => Promise<PageText | undefined>): Promise<Look | undefined> {
  const fetches: PageText[] = [];
  // What a feed says is news, and none of it is noise.
  while (fetches.length < FIRST_FETCHES && fetches[0]?.isFeed !== true) {
    const next = await fetch();
    if (next === undefined) return undefined;
    fetches.push(next);
  }
  const noise = learnNoise(NO_NOISE, fetches);
  return { state: { blocks: contentOf(fetches, noise), noise, isDoubted: false } };
}

function differenceOf({ blocks }: PageState, noise: Noise, fetches: readonly PageText[]): Difference {
  const isNoise = noiseTest(noise);
  const steadyBlocks = blocks.filter((block) => !isNoise(block));
  const difference = compareBlocks(steadyBlocks, contentOf(fetches, noise));
  // Old entries leave a feed to make place for new ones.
  return fetches[0]?.isFeed === true ? { ...difference, removed: [] } : difference;
}

/** The first heading: what the page calls itself. */
function headingsOf(blocks: readonly Block[]): string[] {
  return blocks
    .filter(({ level }) => level > 0)
    .slice(0, 1)
    .map(({ text }) => text);
}
