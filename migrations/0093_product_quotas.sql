-- What a product may use, where owners or admins changed it; else the settings decide.

create table product_quota (
  account_id uuid not null,
  product_id uuid not null,
  quota text not null check (quota in ('requests', 'storage', 'runs', 'model_cost')),
  most double precision not null check (most >= 0),
  primary key (account_id, product_id, quota),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
