import { createHash } from 'node:crypto';
import type { TextKind } from '../text/encoder/encoder.ts';
import type { Corpus, Entry } from './store.ts';

/** What a text is about is in its first sentences; the others cost as much each. */
const ENCODED_CHARACTERS = 300;
/** Of which these are made, spaces included. */
export const READ_CHARACTERS = 4 * ENCODED_CHARACTERS;

/** Signals and decisions are compared with each other, too. */
const KINDS: Record<Corpus, TextKind> = {
  documents: 'passage',
  signals: 'query',
  plans: 'passage',
  decisions: 'query',
  competitors: 'passage',
};

/** As what the texts of a corpus are encoded. */
export function kindOf(corpus: Corpus): TextKind {
  return KINDS[corpus];
}

/** What is encoded of a text: its first 300 characters, with single spaces. */
export function encodedText(text: string): string {
  const read = text.trim().slice(0, READ_CHARACTERS);
  return read.replaceAll(/\s+/g, ' ').slice(0, ENCODED_CHARACTERS).toWellFormed();
}

/** What is encoded of an entry, its headings first. */
export function encodedEntry({ title, section, text }: Pick<Entry, 'title' | 'section' | 'text'>): string {
  const parts = [title, section === title ? '' : section, text];
  return encodedText(parts.filter((part) => part.trim() !== '').join(' '));
}

/** By what the vector of a text is stored: its SHA-256, hexadecimal. */
export function hashOf(encoded: string): string {
  return createHash('sha256').update(encoded).digest('hex');
}
