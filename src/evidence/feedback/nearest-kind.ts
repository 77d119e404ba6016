import { BUILT_IN_MODEL } from '../../text/encoder/built-in-encoder.ts';
import { type Encoder, EncodingFailed } from '../../text/encoder/encoder.ts';
import { cosine } from '../../text/encoder/vector.ts';

/** Kinds of questions about all signals, which have no subject of their own. */
export type WholeKind = 'complaints' | 'praise' | 'mean' | 'new';

/** Questions of each kind; those about a subject are here to be nearer to questions of their kind. */
const EXAMPLES: Readonly<Record<WholeKind | 'other', readonly string[]>> = {
  complaints: ['What are the most frequent complaints?', 'What do people dislike most?', 'Why are customers unhappy?'],
  praise: ['What do customers like about us?', 'What is praised most often?'],
  mean: ['What is the average rating?', 'How many stars do we get on average?'],
  new: ['What is new this week?', 'Which new problems appeared recently?'],
  other: [
    'How many customers mention the invoice?',
    'How often is the checkout named?',
    'Number of messages about slow loading',
    'What percentage of the messages is about shipping?',
    'Which share of customers gives two stars?',
    'Which month had the most messages?',
    'Which country complains the most?',
    'Who writes to us most often?',
    'Are complaints about payments rising or falling?',
    'Did our rating improve over the last year?',
    'Since when do people complain about the login?',
    'When did the problem with the export begin?',
    'Are German customers happier than French ones?',
    'Do more people complain about price or about quality?',
    'Show me messages about refunds.',
    'Give me quotes of people who lost data.',
  ],
};
const WHOLE_KINDS = ['complaints', 'praise', 'mean', 'new'] as const;
/**
 * How much nearer the nearest example is than any example of another kind: so much, or less where it is as similar as this. Of 95
 * questions in eleven languages, the kinds of 42 of 53 and of 31 of 42 are those of the nearest example; with these three no
 * question about a subject, in a language whose words are not read, is taken for one about all.
 */
const CLEAR_MARGIN = 0.035;
const [LEAST_MARGIN, NEAR] = [0.02, 0.87];
/** A wait that people bear for an answer: the first question also loads the model. */
const LIMIT_MS = 5_000;

/** Vectors of the examples, encoded once an encoder. */
const examples = new WeakMap<Encoder, Promise<readonly { kind: WholeKind | 'other'; vector: Int8Array }[]>>();

/**
 * The kind of a question by the example that it is nearest to, in any language that the encoder knows; undefined where none is near,
 * for a question about a subject, and without the built-in encoder, whose similarities are known.
 */
export async function nearestKind(encoder: Encoder | undefined, text: string): Promise<WholeKind | undefined> {
  if (encoder?.model !== BUILT_IN_MODEL) return undefined;
  try {
    const encoded = await (examples.get(encoder) ?? encodeExamples(encoder));
    const [question] = await encoder.encode(
      [text.slice(0, encoder.limits.characters)],
      'query',
      AbortSignal.timeout(LIMIT_MS),
    );
    if (question === undefined) return undefined;
    const similarityOf = (kind: string): number =>
      Math.max(...encoded.filter((one) => one.kind === kind).map(({ vector }) => cosine(question, vector)));
    const [best, second] = ['other', ...WHOLE_KINDS]
      .map((kind) => ({ kind, similarity: similarityOf(kind) }))
      .toSorted((a, b) => b.similarity - a.similarity);
    if (best === undefined || second === undefined) return undefined;
    const margin = best.similarity - second.similarity;
    if (margin < (best.similarity >= NEAR ? LEAST_MARGIN : CLEAR_MARGIN)) return undefined;
    return WHOLE_KINDS.find((kind) => kind === best.kind);
  } catch (error) {
    if (error instanceof EncodingFailed || (error instanceof Error && error.name === 'TimeoutError')) return undefined;
    throw error;
  }
}

function encodeExamples(encoder: Encoder): Promise<readonly { kind: WholeKind | 'other'; vector: Int8Array }[]> {
  const encode = async (): Promise<readonly { kind: WholeKind | 'other'; vector: Int8Array }[]> => {
    const all = [...WHOLE_KINDS, 'other' as const].flatMap((kind) => EXAMPLES[kind].map((text) => ({ kind, text })));
    const encoded: { kind: WholeKind | 'other'; vector: Int8Array }[] = [];
    for (let at = 0; at < all.length; at += encoder.limits.texts) {
      const batch = all.slice(at, at + encoder.limits.texts);
      const vectors = await encoder.encode(
        batch.map(({ text }) => text),
        'query',
      );
      encoded.push(...batch.flatMap(({ kind }, place) => ({ kind, vector: vectors[place] ?? new Int8Array() })));
    }
    return encoded;
  };
  const encoding = encode();
  examples.set(encoder, encoding);
  encoding.catch(() => examples.delete(encoder));
  return encoding;
}
