import type { Tenant } from '../../kernel/tenant.ts';
import { encodeNow, vectorsOf } from '../../knowledge/vectors/vectors.ts';
import type { Db } from '../../platform/db.ts';
import type { Encoder } from '../../text/encoder/encoder.ts';
import { ANCHORS, tellsTone, toneOf } from '../language/tone.ts';
import { selectUnheard, updateTones } from './store-tones.ts';

/** Signals of one transaction, which costs a question some 10 ms. */
const BATCH = 200;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Tells how the signals of a product sound whose vectors are there: those without stars that were not told yet by this encoder.
 * Those whose vectors are pending stay for the next run. Does nothing where the encoder is not one whose vectors tell it.
 *
 * @throws EncodingFailed; the reason of the signal.
 */
export async function hearTones(
  parts: { db: Db; encoder: Encoder | undefined } | undefined,
  tenant: Tenant,
  signal: AbortSignal,
): Promise<void> {
  const model = parts?.encoder?.model;
  if (parts === undefined || model === undefined || !tellsTone(model)) return;
  let anchors: Int8Array[] | undefined;
  for (let after = FIRST_ID; ;) {
    signal.throwIfAborted();
    const unheard = await selectUnheard(parts.db, tenant, { model, after, limit: BATCH });
    const last = unheard.at(-1);
    if (last === undefined) return;
    anchors ??= await encodeNow(parts, ANCHORS, 'query', signal);
    const texts = unheard.map(({ text }) => text);
    const vectors = await vectorsOf(parts, tenant, texts, 'query');
    const tones = unheard.flatMap((row, at) => {
      const vector = vectors[at];
      return vector === undefined ? [] : [{ ...row, polarity: toneOf(vector, anchors ?? [], model) ?? null }];
    });
    if (tones.length > 0) await updateTones(parts.db, tenant, { model, tones });
    after = last.id;
  }
}
