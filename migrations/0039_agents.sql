-- What answers of a language model took, by key and day (UTC).

create table model_usage (
  account_id uuid not null,
  product_id uuid not null,
  -- The key or the person that asked.
  key_id text not null,
  day date not null,
  model text not null,
  answers integer not null,
  input_tokens bigint not null,
  output_tokens bigint not null,
  -- Millionths of the currency of SVC_LLM_PRICE; 0 without a price.
  cost_micros bigint not null,
  primary key (account_id, key_id, day, model),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
