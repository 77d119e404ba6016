import { type RawBuilder, sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';

/** A signal whose tone was not looked for with the vectors of this encoder. */
interface UnheardSignal {
  id: string;
  text: string;
}

const within = ({ accountId, productId }: Tenant): RawBuilder<unknown> =>
  sql`account_id = ${accountId} and product_id = ${productId}`;

/** Signals without stars whose tone was not told by this encoder, by id after `after`. */
export async function selectUnheard(
  db: Db,
  tenant: Tenant,
  { model, after, limit }: { model: string; after: string; limit: number },
): Promise<UnheardSignal[]> {
  const { rows } = await sql<UnheardSignal>`
    select id, left(text, 2000) as text from signal
     where ${within(tenant)} and id > ${after} and rating is null and tone_by is distinct from ${model}
     order by id limit ${limit}`.execute(db);
  return rows;
}

/** Writes how signals sound, unless they have changed meanwhile. What sounds like praise and wants nothing is praise. */
export async function updateTones(
  db: Db,
  tenant: Tenant,
  { model, tones }: { model: string; tones: readonly (UnheardSignal & { polarity: number | null })[] },
): Promise<void> {
  await sql`
    update signal
       set polarity = tone.polarity, polarity_words = '{}', tone_by = ${model},
           intent = case when signal.intent_by = 'person' or signal.intent not in ('other', 'praise') then signal.intent
                         when tone.polarity > 0 then 'praise' else 'other' end
      from jsonb_to_recordset(${JSON.stringify(tones)}::jsonb) as tone (id uuid, text text, polarity real)
     where signal.account_id = ${tenant.accountId} and signal.product_id = ${tenant.productId} and signal.id = tone.id
       and signal.rating is null and left(signal.text, 2000) = tone.text`.execute(db);
}
