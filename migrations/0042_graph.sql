-- The layers that people set for a repository, from the top down. They win over svc.json in the repository and over what imports say.
create table layer_setting (
  account_id uuid not null,
  product_id uuid not null,
  repository_id uuid not null,
  -- [{ "name", "paths" }]
  layers jsonb not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, repository_id),
  foreign key (account_id, product_id) references product (account_id, id),
  foreign key (account_id, repository_id) references repository (account_id, id) on delete cascade
);
