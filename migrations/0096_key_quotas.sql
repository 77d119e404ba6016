-- What an API key may use, where owners or admins changed it; else its product's limits alone decide.

create table api_key_quota (
  account_id uuid not null,
  key_id uuid not null,
  quota text not null check (quota in ('requests', 'runs', 'model_cost')),
  most double precision not null check (most >= 0),
  primary key (account_id, key_id, quota),
  foreign key (account_id, key_id) references api_key (account_id, id) on delete cascade
);
