import { asks, asksPlansFirst, toneAsked } from '../question/kinds.ts';

/** What a question about a product asks for. */
export interface AskedBlocks {
  /** What customers say. */
  voices: boolean;
  /** What is planned or decided. */
  intended: boolean;
  isIntendedFirst: boolean;
  /** What competitors changed. */
  moves: boolean;
  documents: boolean;
  /** What was done. */
  done: boolean;
  /** Whether customers are asked for by what is not said, only because nothing else is. */
  isByDefault: boolean;
}

const DONE = /\b(?:done|shipped|released|implemented|finished|fixed|built)\b/i;

/** What a question asks for; what customers say where it asks for nothing else. */
export function askedBlocks(words: string): AskedBlocks {
  const isOfVoices = asks('customers', words) || asks('trend', words) || toneAsked(words) !== undefined;
  const intended = asks('plans', words) || asks('decisions', words);
  const moves = asks('competitors', words) && !asks('customers', words);
  const documents = asks('documents', words);
  const isByDefault = !isOfVoices && !intended && !moves && !documents;
  return {
    voices: isOfVoices || isByDefault,
    intended,
    isIntendedFirst: intended && (!isOfVoices || asksPlansFirst(words) || /^\W*why\b/i.test(words)),
    moves,
    documents,
    done: intended && DONE.test(words),
    isByDefault,
  };
}
