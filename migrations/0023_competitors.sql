-- Where a product's digests of changes at competitors go.

create table competitor_digest (
  account_id uuid not null,
  product_id uuid not null,
  id uuid not null,
  url text not null,
  -- Encrypted.
  secret text not null,
  least_severity text not null check (least_severity in ('low', 'medium', 'high')),
  every text not null check (every in ('day', 'week')),
  created_at timestamptz not null,
  created_by text not null,
  -- Changes up to here were delivered.
  sent_until timestamptz not null,
  -- The end of a digest that was begun: sent again with the same end until it arrives.
  sending_until timestamptz,
  due_at timestamptz not null,
  failures integer not null default 0,
  -- Why the last one did not arrive; '' when it did.
  fault text not null default '',
  delivered_at timestamptz,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create index competitor_digest_due on competitor_digest (due_at);
