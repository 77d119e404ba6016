-- Runs of workflows, stored step by step: what a stop cuts off goes on where it was, on any replica.

create table workflow_run (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  -- The key that asked: shares and limits are by key.
  key_id text not null,
  kind text not null,
  input jsonb not null,
  state text not null check (state in ('running', 'done', 'failed', 'cancelled')),
  -- The step that is being done, and how much is.
  stage text not null default '',
  pct integer not null default 0,
  result jsonb,
  -- Code, message and fix of why it failed.
  error jsonb,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- The process that works on it, and until when nobody else does.
  holder uuid not null,
  held_until timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
create index workflow_run_open on workflow_run (account_id, key_id) where state = 'running';
create index workflow_run_started on workflow_run (account_id, started_at);

-- What a finished step gave. It is never done again.
create table workflow_step (
  account_id uuid not null,
  run_id uuid not null,
  name text not null,
  result jsonb not null,
  ended_at timestamptz not null,
  primary key (account_id, run_id, name),
  foreign key (account_id, run_id) references workflow_run (account_id, id) on delete cascade
);
