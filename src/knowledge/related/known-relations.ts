import { once } from '../../kernel/once.ts';
import { RelatedWords } from './related-words.ts';
import trained from './related-words.json' with { type: 'json' };

/** The relations of this build. 0.2 MB: for the thread that searches. */
export const relatedWords = once(() => new RelatedWords(trained));
