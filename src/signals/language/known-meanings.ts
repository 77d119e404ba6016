import { WordMeanings } from './word-meanings.ts';
import trained from './word-meanings.json' with { type: 'json' };

/** The meanings of this build. 2 MB: for threads that compare texts, not for the one that answers. */
export const WORD_MEANINGS = new WordMeanings(trained);
