import { sql } from 'kysely';
import type { Db } from '../platform/db.ts';

/** Messages of one POST for a stream that another replica has open. */
export interface PassedMessages {
  accountId: string;
  id: string;
  keyId: string;
  sessionId: string;
}

/** After this time nobody waits for a message any more: the process that passed it on has crashed. */
const ABANDONED = '1 minute';

/** Puts messages down for the replica that has the stream. Deletes what others have abandoned. */
export async function putMessages(db: Db, passed: PassedMessages, messages: readonly unknown[]): Promise<void> {
  const { accountId, id, keyId, sessionId } = passed;
  await sql`
    with abandoned as (delete from mcp_message where account_id = ${accountId} and sent_at < now() - interval '${sql.raw(ABANDONED)}')
    insert into mcp_message (account_id, id, key_id, session_id, messages)
    values (${accountId}, ${id}, ${keyId}, ${sessionId}, ${JSON.stringify(messages)})`.execute(db);
}

/** Takes messages away: undefined when somebody else has. So exactly one of sender and receiver gets them. */
export async function takeMessages(
  db: Db,
  { accountId, id }: Pick<PassedMessages, 'accountId' | 'id'>,
): Promise<unknown[] | undefined> {
  const { rows } = await sql<{ messages: unknown[] }>`
    delete from mcp_message where account_id = ${accountId} and id = ${id} returning messages`.execute(db);
  return rows[0]?.messages;
}

/** Messages that somebody waits for a replica to take, oldest first. For one that could not hear of them for a while. */
export async function waitingMessages(db: Db): Promise<PassedMessages[]> {
  const { rows } = await sql<PassedMessages>`
    select account_id as "accountId", id, key_id as "keyId", session_id as "sessionId"
      from mcp_message where sent_at >= now() - interval '${sql.raw(ABANDONED)}' order by sent_at`.execute(db);
  return rows;
}
