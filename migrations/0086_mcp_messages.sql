-- Messages to MCP streams on their way to the replica that has the stream open. They live for seconds, and after a crash of the
-- database nobody waits for them.
create unlogged table mcp_message (
  account_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  session_id text not null,
  -- JSON-RPC messages of one POST, in their order.
  messages jsonb not null,
  sent_at timestamptz not null default now(),
  primary key (account_id, id)
);
