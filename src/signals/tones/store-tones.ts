import { within } from '../../platform/product-rows.ts';
import { sql } from 'kysely';
import type { Tenant } from '../../kernel/tenant.ts';
import type { Db } from '../../platform/db.ts';
import type { Intent } from '../language/intent.ts';

/** A signal whose tone and intent were not estimated yet. */
interface UnjudgedSignal {
  id: string;
  text: string;
  tags: string[];
}

/** Tone and intent of a signal; null in doubt. */
export interface SignalJudgement {
  id: string;
  text: string;
  polarity: number | null;
  intent: Intent | null;
}

/** Signals that were not judged by these means yet, by id after `after`. */
export async function selectUnjudged(
  db: Db,
  tenant: Tenant,
  { by, after, limit }: { by: string; after: string; limit: number },
): Promise<UnjudgedSignal[]> {
  const { rows } = await sql<UnjudgedSignal>`
    select id, left(text, 2000) as text, tags from signal
     where ${within(tenant)} and id > ${after} and tone_by is distinct from ${by}
     order by id limit ${limit}`.execute(db);
  return rows;
}

/**
 * Writes how signals sound and what they want, unless they have changed meanwhile or a person or stars decide. What sounds like
 * praise and wants nothing is praise.
 */
export async function updateJudgements(
  db: Db,
  tenant: Tenant,
  { by, judgements }: { by: string; judgements: readonly SignalJudgement[] },
): Promise<void> {
  const polarity = sql`case when signal.rating is null then judged.polarity else signal.polarity end`;
  await sql`
    update signal
       set polarity = ${polarity}, tone_by = ${by},
           polarity_words = case when signal.rating is null then '{}' else signal.polarity_words end,
           intent = case when signal.intent_by = 'person' then signal.intent
                         when judged.intent is not null then judged.intent
                         when ${polarity} > 0 then 'praise' else 'other' end
      from jsonb_to_recordset(${JSON.stringify(judgements)}::jsonb)
           as judged (id uuid, text text, polarity real, intent text)
     where signal.account_id = ${tenant.accountId} and signal.product_id = ${tenant.productId} and signal.id = judged.id
       and left(signal.text, 2000) = judged.text`.execute(db);
}
