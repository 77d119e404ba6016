import type { CodePlace } from '../gather/code.ts';
import { codeSpan, onOneLine } from '../../kernel/code-span.ts';
import { firstSentence } from './symbols.ts';

/** A function that is shown in full when nothing else says what it does, in lines and characters. */
const MOST_LINES_IN_FULL = 24;
const LONGEST_IN_FULL = 600;

/** A short function as it stands in a sentence, and its last line; undefined for what is longer. */
export function wholeOf({ body, kind }: CodePlace): { text: string; to: number } | undefined {
  const lines = body.trimEnd().split('\n');
  if (!/^(?:function|method)$/.test(kind) || lines.length < 3 || lines.length > MOST_LINES_IN_FULL) return undefined;
  const text = onOneLine(lines.join(' '));
  return text.length > LONGEST_IN_FULL ? undefined : { text: codeSpan(text), to: lines.length - 1 };
}

/** Whether a place is shown in full where it is introduced: nothing else says what it does. */
export function isToldInFull(place: CodePlace): boolean {
  return firstSentence(place.doc) === '' && wholeOf(place) !== undefined;
}
