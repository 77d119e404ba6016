-- What an encoder makes of the texts that people write, by the hash of the text: the same text is encoded once in a product,
-- and all processes share the result.
create table text_vector (
  account_id uuid not null,
  product_id uuid not null,
  -- Vectors of two models are never compared.
  model text not null,
  -- Whether it was encoded as something to be compared with its like, or as something that questions look for.
  kind text not null check (kind in ('query', 'passage')),
  hash bytea not null,
  -- A signed byte a component; only the direction counts.
  vector bytea not null,
  primary key (account_id, product_id, model, kind, hash),
  foreign key (account_id, product_id) references product (account_id, id)
);

-- Up to which change of a product's knowledge all texts have their vectors.
create table text_vector_state (
  account_id uuid not null,
  product_id uuid not null,
  model text not null,
  revision bigint not null,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id)
);

-- Of the text as it is encoded. Null for entries from before: they get it with their vector.
alter table knowledge_entry add column hash bytea;
create index knowledge_entry_hash on knowledge_entry (account_id, product_id, hash);
