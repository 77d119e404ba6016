-- The changes of a product's knowledge, each with a random stamp. An index file names the one up to which it read: a
-- database that was restored to an older state and written since counts the same numbers, with other stamps. Those that
-- no index file can name any more are deleted daily.
create table knowledge_change (
  account_id uuid not null,
  product_id uuid not null,
  revision bigint not null,
  stamp uuid not null default gen_random_uuid(),
  at timestamptz not null default now(),
  primary key (account_id, product_id, revision),
  foreign key (account_id, product_id) references product (account_id, id)
);
insert into knowledge_change (account_id, product_id, revision)
  select account_id, product_id, revision from knowledge_revision;
