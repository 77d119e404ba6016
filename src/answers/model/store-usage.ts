import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/** Tokens and money of answers of a model. */
interface ModelSpending {
  answers: number;
  inputTokens: number;
  outputTokens: number;
  /** Millionths of the currency. */
  costMicros: number;
}

/** Whose day it is; `day` is a date in UTC, such as 2026-11-21. */
interface SpendingDay {
  accountId: string;
  productId: string;
  keyId: string;
  day: string;
  model: string;
}

/** Adds to the day of a key. */
export async function addSpending(db: Db, of: SpendingDay, spent: ModelSpending): Promise<void> {
  const { accountId, productId, keyId, day, model } = of;
  await sql`
    insert into model_usage as u (account_id, product_id, key_id, day, model, answers, input_tokens, output_tokens, cost_micros)
    values (${accountId}, ${productId}, ${keyId}, ${day}, ${model}, ${spent.answers}, ${spent.inputTokens},
      ${spent.outputTokens}, ${spent.costMicros})
    on conflict (account_id, key_id, day, model) do update set
      answers = u.answers + excluded.answers, input_tokens = u.input_tokens + excluded.input_tokens,
      output_tokens = u.output_tokens + excluded.output_tokens, cost_micros = u.cost_micros + excluded.cost_micros`.execute(
    db,
  );
}

/** Selects the cost of a key since a day, over all models, in millionths. */
export async function selectCostMicros(
  db: Db,
  { accountId, keyId, since }: Pick<SpendingDay, 'accountId' | 'keyId'> & { since: string },
): Promise<number> {
  const { rows } = await sql<{ cost: string | number | null }>`
    select sum(cost_micros) as cost from model_usage
     where account_id = ${accountId} and key_id = ${keyId} and day >= ${since}`.execute(db);
  return Number(rows[0]?.cost ?? 0);
}

/** Selects the cost of all keys of a product on a day, in millionths. */
export async function selectProductCostMicros(
  db: Db,
  { accountId, productId, day }: Pick<SpendingDay, 'accountId' | 'productId' | 'day'>,
): Promise<number> {
  const { rows } = await sql<{ cost: string | number | null }>`
    select sum(cost_micros) as cost from model_usage
     where account_id = ${accountId} and product_id = ${productId} and day = ${day}`.execute(db);
  return Number(rows[0]?.cost ?? 0);
}

/** Days of a product since a day, the newest first. */
export async function selectSpending(
  db: Db,
  { accountId, productId }: Pick<SpendingDay, 'accountId' | 'productId'>,
  since: string,
): Promise<(Omit<SpendingDay, 'accountId' | 'productId'> & ModelSpending)[]> {
  const { rows } = await sql<Record<'keyId' | 'day' | 'model', string> & Record<keyof ModelSpending, string | number>>`
    select key_id as "keyId", to_char(day, 'YYYY-MM-DD') as day, model, answers, input_tokens as "inputTokens",
           output_tokens as "outputTokens", cost_micros as "costMicros"
      from model_usage
     where account_id = ${accountId} and product_id = ${productId} and day >= ${since}
     order by model_usage.day desc, key_id, model`.execute(db);
  return rows.map(({ keyId, day, model, ...counts }) => ({
    keyId,
    day,
    model,
    answers: Number(counts.answers),
    inputTokens: Number(counts.inputTokens),
    outputTokens: Number(counts.outputTokens),
    costMicros: Number(counts.costMicros),
  }));
}
