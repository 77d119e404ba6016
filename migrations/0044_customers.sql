-- A customer goes by several names ("ACME GmbH", "acme.com"): what a source wrote, and the customer that it counts as.

create table customer_name (
  account_id uuid not null,
  product_id uuid not null,
  -- As a source writes it.
  written text not null,
  -- Equal for names that are of one customer by rule.
  folded text not null,
  -- The customer that signals with this name count for.
  customer text not null,
  -- A person said so: no rule changes it.
  is_fixed boolean not null default false,
  primary key (account_id, product_id, written),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
create index customer_name_folded on customer_name (account_id, product_id, folded);

-- `customer` is the one that a signal counts for; names that are there already are folded when themes are gathered next.
alter table signal add column customer_written text;
update signal set customer_written = customer;
alter table signal alter column customer_written set not null;
create index signal_customer on signal (account_id, product_id, customer_written);
