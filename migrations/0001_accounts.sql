-- Who owns what. An account is the tenant: every other table has its id first in every key.

create table account (
  account_id uuid primary key,
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null
);

create table product (
  account_id uuid not null references account (account_id),
  id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz not null,
  primary key (account_id, id),
  unique (account_id, name)
);

-- A human being, who may belong to several accounts: therefore known beside the tenants.
create table person (
  id uuid primary key,
  name text not null,
  email text unique,
  created_at timestamptz not null
);
comment on table person is '@reference people are shared by accounts; member says who belongs where';

-- No foreign key to person: a key of a tenant's table never leaves the tenant.
create table member (
  account_id uuid not null references account (account_id),
  person_id uuid not null,
  role text not null check (role in ('owner')),
  created_at timestamptz not null,
  primary key (account_id, person_id)
);

-- Append only. The id holds the time, so the primary key is also the order.
create table audit_log (
  account_id uuid not null references account (account_id),
  id uuid not null,
  at timestamptz not null,
  actor text not null,
  action text not null,
  target text not null,
  detail jsonb not null,
  primary key (account_id, id)
);

-- The account that the first start made: one row at most, so that two starts at once make one account.
create table installation (
  is_only boolean primary key default true check (is_only),
  account_id uuid not null,
  product_id uuid not null,
  owner_id uuid not null
);
comment on table installation is '@reference one row: what the first start made';
