-- What customers say, and the themes that it is gathered in.

create table theme (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  -- Where it comes from: a folder of the code, the signal that a cluster began with, or a person.
  key text not null,
  label text not null,
  -- A label that a person gave stays.
  labelled boolean not null default false,
  -- A person joined it with another one: what would go here goes there, for ever.
  merged_into uuid,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index theme_key on theme (account_id, product_id, key);

create table signal (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  -- How its source calls it; made of its content when the source does not say. Sending it again changes it.
  external_id text not null,
  source text not null,
  customer text not null,
  segment text not null,
  -- What the customer is worth, in the unit of the one who sends it.
  value double precision,
  date timestamptz not null,
  text text not null,
  tags text[] not null,
  link text not null,
  -- -1 to 1 by words, which are named; null when none of them is known.
  polarity real,
  polarity_words text[] not null,
  intent text not null,
  -- The oldest signal that says nearly the same.
  duplicate_of uuid,
  theme_id uuid,
  -- Where it was put: by a person for ever, or by a rule until there is a better place.
  placed_by text not null default 'nobody' check (placed_by in ('nobody', 'code', 'words', 'person')),
  -- The folder of the code that it is about, and how sure that is, 0..1; null until it was looked for.
  anchor text,
  anchor_score real,
  created_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index signal_external on signal (account_id, product_id, source, external_id);
create index signal_date on signal (account_id, product_id, date, id);

-- Where others send signals to. They sign each request with the secret, so it is kept as it is.
create table signal_webhook (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  secret text not null,
  created_at timestamptz not null,
  created_by text not null,
  last_used_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
