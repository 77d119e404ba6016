-- Themes by what signals say: grouped anew from time to time, and joined by single signals in between.

-- Without a date of its own a signal says nothing about when something began.
alter table signal add column date_given boolean not null default true;
-- The part of the code is that of a theme, not of each signal.
alter table signal drop column anchor;
alter table signal drop column anchor_score;

-- What its members say in detail: `[{"label": …, "signals": …}]`, largest first.
alter table theme add column parts jsonb not null default '[]';
-- The signal that says best what all say.
alter table theme add column quote_id uuid;
-- The folder of the code that the quote is about, as `repository:folder`; empty for none, null until it was looked for.
alter table theme add column place text;
update theme set place = substr(key, 6) where key like 'code:%';

-- What places one more signal among the themes, as of the last time that all were grouped.
create table theme_profiles (
  account_id uuid not null,
  product_id uuid not null,
  -- Signals that were grouped.
  signals integer not null,
  profiles jsonb not null,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id)
);
