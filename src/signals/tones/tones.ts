import type { Tenant } from '../../kernel/tenant.ts';
import { encodeNow, vectorsOf } from '../../knowledge/vectors/vectors.ts';
import type { Db } from '../../platform/db.ts';
import type { Encoder } from '../../text/encoder/encoder.ts';
import { declaredIntent, INTENT_WEIGHTS, intentOf } from '../language/intent.ts';
import { ANCHORS, tellsTone, toneOf } from '../language/tone.ts';
import { selectUnjudged, type SignalJudgement, updateJudgements } from './store-tones.ts';

/** Signals of one transaction, which costs a question some 10 ms. */
const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Estimates how the signals of a product sound and what they want, by vectors: those that were not judged yet by this encoder. Stars,
 * labels and people decide where they did. Signals whose vectors are pending stay for the next run. Does nothing where the
 * encoder is not one whose vectors tell it.
 *
 * @throws EncodingFailed; the reason of the signal.
 */
export async function judgeSignals(
  parts: { db: Db; encoder: Encoder | undefined } | undefined,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const model = parts?.encoder?.model;
  if (parts === undefined || model === undefined || !tellsTone(model)) return;
  const by = `${model} ${INTENT_WEIGHTS}`;
  let anchors: Int8Array[] | undefined;
  for (let after = FIRST_ID; ;) {
    signal.throwIfAborted();
    const unjudged = await selectUnjudged(parts.db, tenant, { by, after, limit: BATCH });
    const last = unjudged.at(-1);
    if (last === undefined) return;
    anchors ??= await encodeNow(parts, ANCHORS, 'query', signal);
    const texts = unjudged.map(({ text }) => text);
    const vectors = await vectorsOf(parts, tenant, texts, 'signals');
    const judgements = unjudged.flatMap(({ id, text, tags }, at): SignalJudgement[] => {
      const vector = vectors[at];
      if (vector === undefined) return [];
      const intent = declaredIntent(text, tags) ?? intentOf(vector, model) ?? null;
      return [{ id, text, polarity: toneOf(vector, anchors ?? [], model) ?? null, intent }];
    });
    if (judgements.length > 0) await updateJudgements(parts.db, tenant, { by, judgements });
    after = last.id;
  }
}
