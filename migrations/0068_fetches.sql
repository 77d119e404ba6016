-- Repositories by address are fetched again on a schedule, and answers state what they do not hold yet.

-- The last successful fetch of a repository by address, and why a later one failed: {message, fix, at}.
alter table repository add column fetched_at timestamptz;
alter table repository add column fetch_error jsonb;
update repository set fetched_at = indexed_at where source = 'remote';

-- Whether compilers have resolved the names of the snapshot; null where none will be asked.
alter table repository add column exact text check (exact in ('pending', 'done', 'failed'));
-- Whether somebody waits for the first index.
alter table repository add column is_awaited boolean not null default false;

-- When a repository by address is fetched next. Apart from the repository, whose changes every process hears.
create table repository_fetch (
  account_id uuid not null,
  id uuid not null,
  -- Null: only when it is asked for.
  due_at timestamptz,
  -- Failed fetches since the last successful one.
  failures integer not null default 0,
  -- The commit that the last fetch led to, and when it was another one than before.
  tip text,
  moved_at timestamptz,
  -- Who writes to the mirror, and until when that holds without a sign of life.
  lease_owner uuid,
  lease_until timestamptz,
  primary key (account_id, id),
  foreign key (account_id, id) references repository (account_id, id) on delete cascade
);
create index repository_fetch_due on repository_fetch (due_at) where due_at is not null;
insert into repository_fetch (account_id, id, due_at)
  select account_id, id, now() from repository where source = 'remote';

-- Webhooks by which hosts report pushes.
create table repository_webhook (
  account_id uuid not null,
  id uuid not null,
  -- Encrypted.
  secret text not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, id) references repository (account_id, id) on delete cascade
);
