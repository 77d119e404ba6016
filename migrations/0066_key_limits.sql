-- How many API keys an account, and one person in it, may have, where that was changed.
create table key_limit (
  account_id uuid primary key references account (account_id),
  most_keys integer not null check (most_keys between 1 and 1000),
  most_keys_per_person integer not null check (most_keys_per_person between 1 and 1000)
);
