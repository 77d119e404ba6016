-- Merges of themes, so that each can be undone: what moved, and from where.

create table theme_merge (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  theme_id uuid not null,
  into_id uuid not null,
  -- Themes that had been merged into the first one before.
  theme_ids uuid[] not null,
  -- Signals that it had.
  signal_ids uuid[] not null,
  merged_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
create index theme_merge_into on theme_merge (account_id, product_id, into_id);
