-- What emerges among the signals of a product, and why signals went from one theme to another.

-- Profiles have another form: all signals are grouped anew.
delete from theme_profiles;
-- When new subjects were looked for last.
alter table theme_profiles add column looked_at timestamptz;

-- `loosely`: near to the theme without being one of it.
alter table signal drop constraint signal_placed_by_check;
alter table signal add constraint signal_placed_by_check
  check (placed_by in ('nobody', 'code', 'words', 'loosely', 'person'));

-- Subjects that were more frequent lately than chance allows, each with the theme that holds its signals.
create table emerging_subject (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  theme_id uuid not null,
  -- `new`: hardly anybody spoke of it before; `rising`: part of a known theme that is more than usual.
  kind text not null check (kind in ('new', 'rising')),
  -- When the first of its signals came.
  since timestamptz not null,
  noticed_at timestamptz not null,
  -- When it was no longer more than usual; null until then.
  ended_at timestamptz,
  -- Customers, and signals without one, lately and in all the time before.
  voices int not null,
  before int not null,
  chance double precision not null,
  signal_ids uuid[] not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
create index emerging_subject_product on emerging_subject (account_id, product_id, ended_at);

-- Signals that went from one theme to another because all were grouped again, or a subject emerged.
create table theme_move (
  account_id uuid not null,
  product_id uuid not null,
  moved_at timestamptz not null,
  from_id uuid not null,
  into_id uuid not null,
  signals int not null,
  reason text not null check (reason in ('grouped', 'emerged')),
  primary key (account_id, product_id, moved_at, from_id, into_id),
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade
);
