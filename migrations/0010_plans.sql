-- Plans of a product with their versions and work items, and what plans and decisions name in the code.

create table plan (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  slug text not null check (char_length(slug) between 1 and 80),
  title text not null,
  status text not null check (status in ('draft', 'proposed', 'accepted', 'active', 'done', 'dropped')),
  owner text not null default '',
  -- Where it is kept when that is not here: a file of a repository. Such a plan is changed there.
  repository_id uuid,
  path text,
  text text not null,
  version integer not null,
  -- Ids that requirements have, by their text: they stay the same from version to version.
  requirements jsonb not null default '[]',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  accepted_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id),
  check ((repository_id is null) = (path is null))
);
create unique index plan_slug on plan (account_id, product_id, slug);
create unique index plan_file on plan (account_id, product_id, repository_id, path) where path is not null;

create table plan_version (
  account_id uuid not null,
  plan_id uuid not null,
  version integer not null,
  title text not null,
  status text not null,
  text text not null,
  saved_at timestamptz not null,
  saved_by text not null,
  primary key (account_id, plan_id, version),
  foreign key (account_id, plan_id) references plan (account_id, id) on delete cascade
);

-- The last number that a work item of the product was given. Numbers are never given twice.
create table plan_number (
  account_id uuid not null,
  product_id uuid not null,
  work_items integer not null,
  primary key (account_id, product_id),
  foreign key (account_id, product_id) references product (account_id, id)
);

create table work_item (
  account_id uuid not null,
  plan_id uuid not null,
  -- T1, T2 … within the plan.
  key text not null,
  product_id uuid not null,
  -- As in the handle wi:12.
  number integer not null,
  position integer not null,
  -- What the text of the plan says, and on top of it what people changed here.
  written jsonb not null,
  edited jsonb not null default '{}',
  -- Set when the text names it no more. It keeps its key and number, should it come back.
  removed_at timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, plan_id, key),
  foreign key (account_id, plan_id) references plan (account_id, id) on delete cascade
);
create unique index work_item_number on work_item (account_id, product_id, number);

-- What a plan or a decision names in the code, as it was when it was written or last accepted.
create table anchor (
  account_id uuid not null,
  holder text not null check (holder in ('plan', 'decision')),
  holder_id uuid not null,
  -- The name as the text has it: path, path:10-20, Class/method, Class/method@path.
  written text not null,
  product_id uuid not null,
  position integer not null,
  -- Why it names nothing; null when it does.
  reason text,
  repository_id uuid,
  path text,
  -- Class/method; null for a whole file.
  symbol text,
  line integer,
  -- Hash of the normalised syntax, and a sketch of it to know it by when it was moved.
  syntax text,
  sketch jsonb,
  baseline_commit text,
  -- Where it stands in the snapshot it was last compared with, named by the hash of its shard.
  snapshot text,
  status text check (status in ('fresh', 'moved', 'changed', 'gone')),
  now_path text,
  now_symbol text,
  now_line integer,
  commits jsonb not null default '[]',
  primary key (account_id, holder, holder_id, written)
);
create index anchor_path on anchor (account_id, product_id, path);
create index anchor_now_path on anchor (account_id, product_id, now_path);
