-- Repositories of a product, and the index snapshot each of them serves now.

create table repository (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  -- owner/name as the host calls it, where the address tells.
  full_name text,
  -- As it is shown: an address without credentials, or a path on the service's machine.
  url text not null,
  -- What tells two of them apart: the address in one spelling, or the real path.
  location text not null,
  source text not null check (source in ('local', 'remote')),
  -- The branch, tag or commit it is pinned to; '' follows HEAD.
  ref text not null,
  default_branch text,
  status text not null check (status in ('pending', 'indexing', 'ready', 'failed')),
  error jsonb,
  progress jsonb,
  -- Number of the index run that may write: an older one that still lives is refused.
  run integer not null default 0,
  -- Number of published snapshots: cursors are bound to it.
  generation integer not null default 0,
  -- The published snapshot; null before the first one. Hashes name blobs.
  snapshot_commit text,
  snapshot_branch text,
  shard_hash text,
  shard_bytes bigint,
  history_hash text,
  history_bytes bigint,
  indexed_at timestamptz,
  files integer not null default 0,
  symbols integer not null default 0,
  lines integer not null default 0,
  languages jsonb not null default '{}',
  unparsed integer not null default 0,
  gaps jsonb not null default '[]',
  -- What the run that published it did: how much was parsed, how much was known, how long it took.
  last_run jsonb,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id),
  check ((snapshot_commit is null) = (shard_hash is null)),
  check ((shard_hash is null) = (history_hash is null))
);

create unique index repository_name on repository (account_id, product_id, name);
create unique index repository_location on repository (account_id, product_id, location, ref);

-- Blobs that snapshots use or have used. Once released they are deleted after a time of grace, because a reader may
-- still hold them. Two accounts may share a blob.
create table repository_blob (
  account_id uuid not null,
  hash text not null,
  released_at timestamptz,
  primary key (account_id, hash)
);
