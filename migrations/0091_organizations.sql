-- Organizations of code hosts whose repositories are added, also those that are made later.

create table organization (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  kind text not null check (kind in ('github', 'gitlab', 'gitea')),
  -- Where people see it, https://github.com/acme, without a slash at the end; in small letters where the host has no others.
  address text not null,
  -- Encrypted; null where everybody may read it.
  token text,
  -- Patterns of names: what one of the first fits and none of the second is added.
  include text[] not null,
  exclude text[] not null,
  with_archived boolean not null,
  with_forks boolean not null,
  due_at timestamptz not null,
  -- When it was read to its end the last time.
  read_at timestamptz,
  -- Repositories there then.
  total integer not null default 0,
  -- Tries in a row that failed, and why the last one did.
  failures integer not null default 0,
  fault text not null default '',
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
create unique index organization_address on organization (account_id, product_id, address);
create index organization_due on organization (due_at);

-- Repositories that an organization brought. One that a person removed is not added again.
create table organization_repository (
  account_id uuid not null,
  organization_id uuid not null,
  -- Its address at the host.
  url text not null,
  primary key (account_id, organization_id, url),
  foreign key (account_id, organization_id) references organization (account_id, id) on delete cascade
);
