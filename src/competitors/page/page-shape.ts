import type { PageElement } from './element.ts';

/** Structure of a page beyond its tags. */
export interface PageShape {
  /** Elements that name what follows them as headings do: the name of each of several cards with prices, terms of definitions. */
  names: Set<PageElement>;
  /** Elements whose parts are one price: a sign, a number and a period in boxes of their own. */
  prices: Set<PageElement>;
}

/** Measures of an element and all that it contains. */
interface Extent {
  element: PageElement;
  text: string;
  hasAmount: boolean;
  hasHeading: boolean;
  hasCards: boolean;
  /** True if it has a list, a link or a button, which a price has not. */
  hasParts: boolean;
  lines: number;
  /** Its lines before the first amount that are elements of their own. */
  leads: PageElement[];
}

const LINES: ReadonlySet<string> = new Set(
  'DIV P LI DT DD SECTION ARTICLE FIGURE HEADER STRONG B SPAN LABEL'.split(' '),
);
const PARTS: ReadonlySet<string> = new Set('A BUTTON UL OL LI TABLE DL INPUT SELECT'.split(' '));
/** Texts are compared up to here: enough for a price and a name. */
const TEXT_CHARACTERS = 80;
const PRICE_CHARACTERS = 40;
const NAME_WORDS = 6;
/** Lines before an amount that may be the name of its card, and classes that say which of them is. */
const MOST_LEADS = 4;
const CALLED_NAME = /(?:^|[\s_-])(?:name|title|heading)(?=$|[\s_-])/i;
const AMOUNT = /\p{Sc}\s?\d|\d\s?\p{Sc}/u;
const BEGINS_WITH_AMOUNT = /^(?:\p{Lu}{0,2}\p{Sc}\s?\d|\d[\d.,'’ ]*\p{Sc})/u;

/** Reads the shape of a page in one walk over its elements. */
export function readShape(root: PageElement): PageShape {
  const shape: PageShape = { names: new Set(), prices: new Set() };
  readExtent(root, shape);
  return shape;
}

function readExtent(element: PageElement, shape: PageShape): Extent {
  const tag = element.tagName.toUpperCase();
  const extents: Extent[] = [];
  let text = '';
  for (const child of element.childNodes) {
    if (child.nodeType === 1) {
      const extent = readExtent(child as PageElement, shape);
      extents.push(extent);
      text = join(text, extent.text);
    } else if (child.nodeType === 3) text = join(text, (child.textContent ?? '').trim());
  }
  const isLine = extents.length === 0 ? text !== '' : extents.every(({ lines }) => lines === 0);
  const hasCards = markCards(extents, shape);
  markTerms(element, shape);
  const extent: Extent = {
    element,
    text,
    hasAmount: AMOUNT.test(text) || extents.some(({ hasAmount }) => hasAmount),
    hasHeading: /^H[1-6]$/.test(tag) || extents.some(({ hasHeading }) => hasHeading),
    hasCards: hasCards || extents.some((part) => part.hasCards),
    hasParts: PARTS.has(tag) || extents.some(({ hasParts }) => hasParts),
    lines: Math.max(
      extents.reduce((sum, { lines }) => sum + lines, 0),
      Number(isLine && isLineTag(tag) && text !== ''),
    ),
    leads: leadsOf(extents),
  };
  if (extent.leads.length === 0 && isLineTag(tag) && text !== '' && !extent.hasAmount) extent.leads.push(element);
  const isPrice =
    !extent.hasParts && !extent.hasHeading && text.length <= PRICE_CHARACTERS && BEGINS_WITH_AMOUNT.test(text);
  if (isPrice && extents.length > 1) shape.prices.add(element);
  return extent;
}

function leadsOf(extents: readonly Extent[]): PageElement[] {
  const end = extents.findIndex(({ hasAmount }) => hasAmount);
  return extents
    .slice(0, end === -1 ? undefined : end + 1)
    .flatMap(({ leads }) => leads)
    .slice(0, MOST_LEADS);
}

function isLineTag(tag: string): boolean {
  return LINES.has(tag);
}

function join(left: string, right: string): string {
  return `${left}${left === '' || right === '' ? '' : ' '}${right}`.slice(0, TEXT_CHARACTERS);
}

/** Names the cards among sibling elements: of one kind, at least two of them with an amount, none with a heading. */
function markCards(siblings: readonly Extent[], { names }: PageShape): boolean {
  const groups = Map.groupBy(
    siblings.filter(({ lines }) => lines > 1),
    ({ element }) => element.tagName.toUpperCase(),
  );
  let hasCards = false;
  for (const [tag, cards] of groups) {
    const priced = cards.filter(({ hasAmount, hasCards: isGroup }) => hasAmount && !isGroup);
    if (tag === 'TR' || tag === 'TBODY' || priced.length < 2) continue;
    hasCards = true;
    const shared = sharedKinds(priced);
    for (const { hasHeading, leads } of cards) {
      const name = nameOf(leads, shared);
      if (!hasHeading && name !== undefined && isName(name)) names.add(name);
    }
  }
  return hasCards;
}

/** Kinds of lines that all cards begin with, so that a badge of one of them is none. */
function sharedKinds(cards: readonly Extent[]): Set<string> {
  const [first, ...others] = cards.map(({ leads }) => new Set(leads.map(kindOf)));
  return new Set([...(first ?? [])].filter((kind) => others.every((kinds) => kinds.has(kind))));
}

/** The line that names a card: the one that its page calls a name or title, else the first that all cards have, else the first. */
function nameOf(leads: readonly PageElement[], shared: ReadonlySet<string>): PageElement | undefined {
  const called = leads.find((lead) => CALLED_NAME.test(lead.getAttribute('class') ?? '') && isName(lead));
  return called ?? leads.find((lead) => shared.has(kindOf(lead)) && isName(lead)) ?? leads[0];
}

function kindOf(element: PageElement): string {
  return `${element.tagName} ${element.getAttribute('class') ?? ''}`;
}

function isName(element: PageElement): boolean {
  const name = (element.textContent ?? '').trim();
  return name !== '' && name.split(/\s+/).length <= NAME_WORDS && !AMOUNT.test(name);
}

/** A short term of a list of definitions names its definition. */
function markTerms(element: PageElement, { names }: PageShape): void {
  if (element.tagName.toUpperCase() !== 'DT') return;
  if (isName(element)) names.add(element);
}
