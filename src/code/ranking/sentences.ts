import type { EncodedQuestion, QuestionVectors } from '../../text/encoder/question-vectors.ts';

/** The vector of a query by the configured service. Names and few words are found as they are written, and never sent. */
export async function encodeSentence(vectors: QuestionVectors | undefined, query: string): Promise<EncodedQuestion> {
  return vectors !== undefined && isSentenceText(query) ? vectors.of(query) : {};
}

/** Fewer words are a name or a topic. */
const SENTENCE_WORDS = 4;
/** `camelCase`, `snake_case`, `a.b`, `a::b`, `f()`. */
const IDENTIFIER = /[a-z][A-Z]|\w_\w|\w\.\w|::|\(\)/;
const TEST_WORD = /\b(?:tests?|specs?|fixtures?)\b/i;
/** In a sentence the word alone says nothing: much code that is no test handles tests. */
const TEST_PHRASE =
  /^tests?\b|\b(?:unit tests?|test (?:cases?|suites?)|tests? (?:of|for|that|which)|tested|covers?)\b/i;

const QUESTION = /^\s*(?:how|what|why|where|when|which|who|does|do|is|are|can)\b|\?(?:\s|$)/i;

/** True if a query is a sentence: it has four words and more beside its identifiers. */
export function isSentenceText(query: string): boolean {
  const words = query.trim().split(/\s+/);
  return words.filter((word) => !IDENTIFIER.test(word)).length >= SENTENCE_WORDS;
}

/** True if a sentence asks how, where or when something is done, rather than to say what it does as documentation would. */
export function isQuestionText(query: string): boolean {
  return isSentenceText(query) && QUESTION.test(query);
}

/** True if a query is about test code. */
export function isAboutTests(query: string): boolean {
  return (isSentenceText(query) ? TEST_PHRASE : TEST_WORD).test(query);
}
