import { sha256 } from '../kernel/ids.ts';
import { withoutAddressees } from '../text/addressees.ts';
import type { TextKind } from '../text/encoder/encoder.ts';
import type { Corpus, Entry } from './store.ts';

/**
 * Encoded characters of a text. The first sentences of a message say what it is about. Those of a section do not say what it
 * answers: with 700 characters of each, 21 of 30 questions had the right section of a documentation among the first five, with
 * 300 it were 19, and 3 of 5 in another language rather than 2.
 */
const ENCODED_CHARACTERS: Record<TextKind, number> = { query: 300, passage: 700 };
/** Of which these are made, spaces included. */
export const READ_CHARACTERS = 2_000;

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

/** Returns the part of a text that is encoded: its first characters, with single spaces. */
export function encodedText(text: string, kind: TextKind): string {
  const read = text.trim().slice(0, READ_CHARACTERS);
  return read.replaceAll(/\s+/g, ' ').slice(0, ENCODED_CHARACTERS[kind]).toWellFormed();
}

/** Returns the part of an entry that is encoded, its headings first; of a signal without whom it addresses. */
export function encodedEntry(
  { title, section, text }: Pick<Entry, 'title' | 'section' | 'text'>,
  corpus: Corpus,
): string {
  const parts = [title, section === title ? '' : section, text];
  const whole = parts.filter((part) => part.trim() !== '').join(' ');
  return encodedText(corpus === 'signals' ? withoutAddressees(whole.slice(0, READ_CHARACTERS)) : whole, kindOf(corpus));
}

/** By what the vector of a text is stored: its SHA-256, hexadecimal. */
export function hashOf(encoded: string): string {
  return sha256(encoded);
}
