/** A part of a record: a heading and the lines below it, up to the next heading of any depth. */
export interface Section {
  depth: number;
  title: string;
  lines: string[];
}

/** The parts of a record whose headings are not in English, by position. */
interface PartsByPosition {
  /** Empty when none is a statement of a few words at the start. */
  status: string;
  context: Section;
  decision: Section;
}

/** A status is a word or two, perhaps with a date, or a link to another record. */
const LONGEST_STATUS = 120;
const LONGEST_STATUS_WORDS = 8;
/** Shorter options would be in any text. */
const SHORTEST_OPTION = 3;
const ENTRY = /^(?:[-*+]|\d+[.)])\s+(.+)$/gm;

/** The text of a section without comments. Linear, also of comments that do not end. */
export function textOf({ lines }: Pick<Section, 'lines'>): string {
  const text = lines.join('\n');
  let [shown, at] = ['', 0];
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start === -1 ? -1 : text.indexOf('-->', start);
    if (end === -1) return `${shown}${text.slice(at)}`.trim();
    shown += text.slice(at, start);
    at = end + '-->'.length;
  }
}

/**
 * The parts of a record in any language, by the order of the published layouts: in MADR the decision is the first part behind
 * the list of options that names one of them; in the layout of Nygard status, context, decision and consequences follow
 * each other. Parts without words, such as a date, do not count. Undefined for a text of neither layout.
 *
 * @param hasStatus The status is stated before the first part.
 */
export function partsByPosition(
  sections: readonly Section[],
  head: Section | undefined,
  hasStatus: boolean,
): PartsByPosition | undefined {
  const depth = (head?.depth ?? 0) + 1;
  const parts = sections.filter((part) => part !== head && part.depth === depth && /\p{L}/u.test(textOf(part)));
  const [first] = parts;
  if (first === undefined) return undefined;
  const status = !hasStatus && isStatement(textOf(first)) ? textOf(first) : '';
  const [context, decision, consequences] = status === '' ? parts : parts.slice(1);
  const choice = choiceAmong(parts);
  // Without a part between them, what comes before the options is the context.
  if (choice !== undefined)
    return context === choice.options || context === undefined
      ? { status: '', context: first, decision: choice.decision }
      : { status, context, decision: choice.decision };
  const isComplete = context !== undefined && decision !== undefined && consequences !== undefined;
  return isComplete && (hasStatus || status !== '') ? { status, context, decision } : undefined;
}

/** A part that begins with one of the options that the part before it lists. */
function choiceAmong(parts: readonly Section[]): { options: Section; decision: Section } | undefined {
  for (const [at, part] of parts.entries()) {
    const options = [...textOf(part).matchAll(ENTRY)].map(([, option = '']) => plain(option));
    const [next] = parts.slice(at + 1);
    if (options.length < 2 || next === undefined) continue;
    const [start = ''] = textOf(next).split(/\n\s*\n/);
    const isChoice = options.some((option) => option.length >= SHORTEST_OPTION && plain(start).includes(option));
    if (isChoice) return { options: part, decision: next };
  }
  return undefined;
}

function isStatement(text: string): boolean {
  const words = text.split(/\s+/).filter(Boolean);
  return text !== '' && text.length <= LONGEST_STATUS && words.length <= LONGEST_STATUS_WORDS;
}

function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`]/g, '')
    .trim()
    .toLowerCase();
}
