-- Tools from which signals are read regularly.

create table signal_source (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  kind text not null check (kind in ('github', 'gitlab', 'zendesk', 'intercom', 'slack')),
  -- Where its interface begins, without a slash at the end.
  base_url text not null,
  -- owner/name, group/project or the id of a channel; empty where the account is all there is.
  project text not null,
  -- Zendesk: whose token it is.
  user_name text not null,
  -- Encrypted.
  token text not null,
  -- Read up to here, as the tool counts; empty before the first time.
  cursor text not null default '',
  every_minutes integer not null check (every_minutes between 5 and 10080),
  due_at timestamptz not null,
  -- When it was read to its end the last time.
  read_at timestamptz,
  -- Tries in a row that failed, and why the last one did.
  failures integer not null default 0,
  fault text not null default '',
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index signal_source_project on signal_source (account_id, product_id, kind, base_url, project);
create index signal_source_due on signal_source (due_at);
