-- Decisions of a product, with the fields of Markdown Architectural Decision Records.

create table decision (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  -- As in the handle dec:12.
  number integer not null,
  slug text not null,
  title text not null,
  decision text not null,
  context text not null default '',
  status text not null check (status in ('proposed', 'accepted', 'rejected', 'deprecated', 'superseded')),
  options jsonb not null default '[]',
  consequences jsonb not null default '[]',
  links jsonb not null default '[]',
  tags jsonb not null default '[]',
  review_on date,
  -- Of product, title and decision in one spelling: the same one is not recorded twice.
  content_hash text not null,
  -- Number of the decision that took its place.
  superseded_by integer,
  recorded_at timestamptz not null,
  recorded_by text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index decision_number on decision (account_id, product_id, number);
create unique index decision_content on decision (account_id, product_id, content_hash);

-- The last number that a decision of the product was given. Numbers are never given twice.
create table decision_count (
  account_id uuid not null,
  product_id uuid not null,
  last_number integer not null,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id)
);
