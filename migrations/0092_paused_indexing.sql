-- Products whose repositories are neither fetched nor indexed for now.

create table indexing_pause (
  account_id uuid not null,
  product_id uuid not null,
  since timestamptz not null,
  paused_by text not null,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
