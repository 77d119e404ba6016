import type { EncodedQuestion, QuestionVectors } from '../../text/encoder/question-vectors.ts';
import { isSentenceText } from './sentences.ts';

/** The vector of a query by the configured service. Names and few words are found as they are written, and never sent. */
export async function encodeSentence(vectors: QuestionVectors | undefined, query: string): Promise<EncodedQuestion> {
  return vectors !== undefined && isSentenceText(query) ? vectors.of(query) : {};
}
