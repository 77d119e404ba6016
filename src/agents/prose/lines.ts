import type { CodePlace } from '../gather/code.ts';
import { MOST_PIECES, type TellingLines } from '../gather/lines.ts';
import { isText } from '../gather/prefer.ts';
import { environmentVariableIn } from '../question/wanted-lines.ts';
import type { Citer } from './cite.ts';
import { type Paragraph, joinWords, type Sentence } from './prose.ts';
import { codeSpan, onOneLine } from '../../kernel/code-span.ts';
import { displayName } from './symbols.ts';

/** Characters of a piece of code in the text of an answer. */
const LONGEST_PIECE = 280;
/** What has less of the worth of the best piece adds nothing to it. */
const LEAST_SHARE = 0.6;
const MOST_VARIABLES = 25;

/** The lines that say most about a question, quoted with their places. */
export function quoteLines(cite: Citer, lines: readonly TellingLines[]): Paragraph[] {
  const [best] = lines;
  if (best === undefined) return [];
  const told = lines.filter(({ worth }) => worth >= best.worth * LEAST_SHARE).slice(0, MOST_PIECES);
  const sentences = told.map(({ place, from, to }) => ({
    text: `${place.path}:${place.start + from}${place.symbol === '' ? '' : ` in \`${displayName(place)}\``}: ${quoteCode(place, from, to)}`,
    sources: [cite.linesOf(place, from, to)],
  }));
  const says = told.some(({ place }) => isText(place)) ? 'The code and its documentation say:' : 'The code says:';
  return [{ sentences: [{ text: says, sources: [] }, ...sentences], isList: true }];
}

/** The environment variables that some lines read, each with where it is read first. */
export function listVariables(cite: Citer, lines: readonly CodePlace[]): Paragraph[] {
  const first = new Map<string, CodePlace>();
  for (const line of lines) {
    const name = environmentVariableIn(line.body);
    if (name !== undefined && !first.has(name)) first.set(name, line);
  }
  const read = [...first].toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, MOST_VARIABLES);
  if (read.length === 0) return [];
  const names = read.map(([name, { path, start }]) => `\`${name}\` (${path}:${start})`);
  const sentence: Sentence = {
    text: `The code reads ${joinWords(names)}.`,
    sources: read.map(([, line]) => cite.linesOf(line, 0, 0)),
  };
  return [{ sentences: [sentence] }];
}

function quoteCode({ body }: CodePlace, from: number, to: number): string {
  const text = onOneLine(
    body
      .split('\n')
      .slice(from, to + 1)
      .join(' '),
  );
  return codeSpan(text.length > LONGEST_PIECE ? `${text.slice(0, LONGEST_PIECE)} …` : text);
}
