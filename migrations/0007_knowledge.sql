-- The searchable text of everything people write. Each slice keeps its own tables and puts here, in the same
-- transaction, what is to be found.

-- Number of the last change of a product. A writer takes the next one and keeps the row locked until it commits, so that
-- changes become visible in the order of their numbers and a reader never misses one.
create table knowledge_revision (
  account_id uuid not null,
  product_id uuid not null,
  revision bigint not null,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id)
);

-- One document, signal, plan, decision or competitor change, by its handle. Removed ones stay, because readers that have
-- them in memory learn so that they are gone.
create table knowledge_thing (
  account_id uuid not null,
  product_id uuid not null,
  corpus text not null check (corpus in ('documents', 'signals', 'plans', 'decisions', 'competitors')),
  id text not null,
  revision bigint not null,
  -- Characters of its text; null for a removed one.
  size integer,
  primary key (account_id, product_id, corpus, id)
);
create index knowledge_thing_revision on knowledge_thing (account_id, product_id, revision);

-- Its parts: one entry a section, or one for the whole. No foreign key: both tables are written by the same statements,
-- and checking each of 10,000 rows took 10 s of an import of 11 s.
create table knowledge_entry (
  account_id uuid not null,
  product_id uuid not null,
  corpus text not null,
  id text not null,
  -- '' for the whole.
  part text not null,
  position integer not null,
  kind text not null,
  title text not null,
  section text not null,
  text text not null,
  date timestamptz,
  tags text[] not null,
  customer text not null,
  segment text not null,
  source text not null,
  primary key (account_id, product_id, corpus, id, part)
);
