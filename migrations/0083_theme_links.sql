-- What themes are about, and what answers them: code, plans, decisions and changes of competitors.

create table theme_link (
  account_id uuid not null,
  product_id uuid not null,
  theme_id uuid not null,
  kind text not null check (kind in ('code', 'plan', 'decision', 'change')),
  -- Handle: `sym:Class/method@path`, `plan:slug`, `dec:12`, `chg:…`.
  target text not null,
  -- Of code, with its name when it was linked; null and '' for the others.
  repository_id uuid,
  repository text not null default '',
  title text not null,
  -- `stated` by a person stays; `computed` from the words of the signals is made again after each index run.
  origin text not null check (origin in ('stated', 'computed')),
  -- Share of the subject of the theme that the target has, 0 to 1; 1 where stated.
  score real not null check (score between 0 and 1),
  -- Words of the subject that the target has.
  words text[] not null,
  created_at timestamptz not null,
  foreign key (account_id, product_id) references product (account_id, id) on delete cascade,
  foreign key (account_id, repository_id) references repository (account_id, id) on delete cascade
);
create unique index theme_link_target
  on theme_link (account_id, theme_id, target, coalesce(repository_id, '00000000-0000-0000-0000-000000000000'));
create index theme_link_product on theme_link (account_id, product_id, target);

-- Hash of the quotes and the indexes that its links to code were computed from; null before.
alter table theme add column linked_of text;
-- The folder that the words of one signal pointed to.
alter table theme drop column place;
