-- What people say of the features of a product. It wins over what code suggests, also after the code has moved.
create table feature_edit (
  account_id uuid not null,
  product_id uuid not null,
  -- As in the handle feature:checkout.
  key text not null,
  -- Null: as code gives it.
  name text,
  -- Key of the feature that it is a part of now.
  merged_into text,
  -- Stays, whatever code suggests.
  is_pinned boolean not null default false,
  is_deleted boolean not null default false,
  -- Files and folders that belong to it in any case, `path` or `repository:path`.
  paths jsonb not null default '[]',
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, product_id, key),
  foreign key (account_id, product_id) references product (account_id, id)
);
