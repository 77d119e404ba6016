import { formatCost, formatCount, formatNumber } from '../format.ts';
import type { AgentAnswer, Source } from './queries.ts';

/** A stretch of an answer: plain text, code in backticks, or the number of a source. */
export type Stretch = { as: 'text'; text: string } | { as: 'code'; text: string } | { as: 'source'; number: number };

/** A paragraph or a list. */
type Block = { as: 'paragraph'; stretches: Stretch[] } | { as: 'list'; items: Stretch[][] };

/** Code between equal fences of backticks, or a number in brackets. */
const MARKS = /(?<!`)(?<fence>`+)(?!`)(?<code>[^\n]*?[^`\n])\k<fence>(?!`)|\[(?<source>\d{1,3})\]/g;

/** Reads the prose of an agent. Nothing of it is markup but backticks, `- ` at the start of a line, and numbers in brackets. */
export function readAnswer(answer: string): Block[] {
  const blocks: Block[] = [];
  for (const line of answer.split('\n').filter((text) => text.trim() !== '')) {
    const last = blocks.at(-1);
    if (!line.startsWith('- ')) blocks.push({ as: 'paragraph', stretches: readLine(line) });
    else if (last?.as === 'list') last.items.push(readLine(line.slice(2)));
    else blocks.push({ as: 'list', items: [readLine(line.slice(2))] });
  }
  return blocks;
}

/** Reads one line of it: all but lists. */
export function readLine(line: string): Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const { index, 0: mark, groups: { code = '', source } = {} } of line.matchAll(MARKS)) {
    if (index > end) stretches.push({ as: 'text', text: line.slice(end, index) });
    // A space keeps a backtick of the code apart from its fence.
    const text = code.replace(/^ (?=`)/, '').replace(/(?<=`) $/, '');
    stretches.push(source === undefined ? { as: 'code', text } : { as: 'source', number: Number(source) });
    end = index + mark.length;
  }
  return end < line.length ? [...stretches, { as: 'text', text: line.slice(end) }] : stretches;
}

/** A line of a quote with its number in the file, and whether lines before it are left out. */
interface QuotedLine {
  number: number;
  text: string;
  isAfterGap: boolean;
}

/** Reads quoted code: each line behind its number. Undefined for a quote without numbers. */
export function readQuote(quote: string): QuotedLine[] | undefined {
  let before = Infinity;
  const lines: QuotedLine[] = [];
  for (const line of quote.split('\n')) {
    const [, digits, text = ''] = /^(\d+)(?: (.*))?$/.exec(line) ?? [];
    if (digits === undefined) return undefined;
    const number = Number(digits);
    lines.push({ number, text, isAfterGap: number > before + 1 });
    before = number;
  }
  return lines;
}

/** Ids that say nothing to a reader. */
const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Name of a source, and its location or date; a source that is named by its location has no other. */
export function headOf({ repo, path, lines, symbol, id, text }: Source): {
  name: string;
  place: string;
} {
  if (path !== undefined) {
    const place = `${repo ?? ''}/${path}${lines === undefined ? '' : `:${lines}`}`;
    return symbol === undefined ? { name: place, place: '' } : { name: symbol, place };
  }
  return { name: UUID.test(id) && text !== '' ? text : id, place: '' };
}

/** `1,200 tokens read, 80 written, cost 0.0048`: what an answer of a model took. */
export function describeUsage({
  input_tokens: read,
  output_tokens: written,
  cost,
}: NonNullable<AgentAnswer['usage']>): string {
  const tokens = `${formatCount(read, 'token')} read, ${formatNumber(written)} written`;
  return cost === undefined ? tokens : `${tokens}, cost ${formatCost(cost)}`;
}
