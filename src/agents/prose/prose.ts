import type { Entry } from '../ledger/ledger.ts';
import { CODE_SPAN, codeSpan } from '../../kernel/code-span.ts';

/** A symbol or file that a sentence introduces, by where it begins. */
export interface IntroducedPlace {
  path: string;
  line: number;
  /** `Class/method`; '' for a file. */
  symbol: string;
  /** Whether the sentence only names it, with its signature, and does not say what it does. */
  isNameOnly: boolean;
}

/** A sentence and what it is taken from. `text` has its full stop and no numbers. */
export interface Sentence {
  text: string;
  sources: readonly Entry[];
  /** What it introduces; undefined for one that tells of a call, a use or a commit. */
  introduces?: IntroducedPlace;
}

/** Sentences that belong together; those of a list stand on lines of their own. */
export interface Paragraph {
  sentences: readonly Sentence[];
  isList?: boolean;
}

/** `a`, `a and b`, `a, b and c`. */
export function joinWords(words: readonly string[], conjunction: 'and' | 'or' = 'and'): string {
  if (words.length < 2) return words[0] ?? '';
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1) ?? ''}`;
}

/** Names in words, the first few; how many more of all there are. */
export function listNames(names: readonly string[], most: number, all = names.length): string {
  const rest = all - Math.min(most, names.length);
  return rest > 0 ? `${names.slice(0, most).join(', ')} and ${rest} more` : joinWords(names);
}

/** A text of others inside a sentence: on one line, short, in quotation marks, without the markup of links and stress. */
export function quote(text: string, characters = 160): string {
  const line = withoutMarkup(text).replaceAll(/\s+/g, ' ').trim();
  return `“${line.length > characters ? `${line.slice(0, line.lastIndexOf(' ', characters))} …` : line}”`;
}

/** Markdown and reStructuredText as they are read: links by their label, code in as few backticks as it needs, no stress. */
function withoutMarkup(text: string): string {
  return text
    .replaceAll(/\s*\(\[[0-9a-f]{7,40}\]\([^)\s]*\)\)/g, '')
    .replaceAll(/\[([^\]\n]+)\]\([^)\s]+\)/g, '$1')
    .replaceAll(/(?:^|(?<=\s)):[a-z][a-z:]*:`~?([^`<\n]+?)(?:\s*<[^>`\n]*>)?`/g, '`$1`')
    .replaceAll(CODE_SPAN, (_span, _fence, code: string) => codeSpan(code))
    .replaceAll(/(?<![\w|])\|([A-Z]\w*)\|(?![\w|])/g, '$1')
    .replaceAll(/\*\*([^*\n]+)\*\*/g, '$1');
}

/** `2026-05-01` of an ISO date. */
export function day(date: string): string {
  return date.slice(0, 10);
}
