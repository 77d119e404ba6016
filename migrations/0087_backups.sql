-- The last backups of the installation, for doctor and metrics; and which columns name blobs that are made from repositories.

create table backup (
  id uuid primary key,
  started_at timestamptz not null,
  finished_at timestamptz not null,
  -- Null when it was sent to somebody who asked for it.
  file text,
  bytes bigint not null,
  -- Why there is none.
  error text
);
comment on table backup is '@reference of the installation, no account''s';

comment on column repository.shard_hash is '@derived';
comment on column repository.history_hash is '@derived';
