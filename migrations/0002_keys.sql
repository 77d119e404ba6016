-- API keys. Only the SHA-256 of a secret is stored, in hexadecimal.

create table api_key (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  key_hash text not null check (char_length(key_hash) = 64),
  scopes text[] not null check (cardinality(scopes) > 0),
  created_by text not null,
  created_at timestamptz not null,
  regenerated_at timestamptz,
  expires_at timestamptz,
  last_used_at timestamptz,
  requests bigint not null default 0,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);

-- The only look-up that does not know its account yet: which account does a presented secret belong to?
create table key_directory (
  key_hash text primary key,
  account_id uuid not null,
  key_id uuid not null
);
comment on table key_directory is '@reference routes a presented secret to its account';

-- Requests by hour (UTC) and operation. The total of all time stands in api_key, so no reader goes through all of this.
create table api_key_usage (
  account_id uuid not null,
  key_id uuid not null,
  hour timestamptz not null,
  operation text not null,
  requests bigint not null,
  primary key (account_id, key_id, hour, operation),
  foreign key (account_id, key_id) references api_key (account_id, id) on delete cascade
);
