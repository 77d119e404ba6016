-- Competitors, the pages of theirs that are watched, what these said when, and what changed.

create table competitor (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  name text not null check (char_length(name) between 1 and 80),
  -- Host of its site; '' when none was given.
  domain text not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index competitor_name on competitor (account_id, product_id, lower(name));

create table competitor_page (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  competitor_id uuid not null,
  url text not null,
  -- What it is about; 'other' pages tell by their own words.
  kind text not null,
  -- What to read of it, what to leave out, and how it is asked for.
  settings jsonb not null,
  every_minutes integer not null check (every_minutes between 0 and 525600),
  created_at timestamptz not null,
  -- What the last check said, and why.
  status text not null default 'waiting'
    check (status in ('waiting', 'same', 'new', 'changed', 'removed', 'error', 'robots_denied')),
  detail text not null default '',
  failures integer not null default 0,
  checked_at timestamptz,
  changed_at timestamptz,
  -- When it is due, and before when nobody may ask for it.
  due_at timestamptz not null,
  allowed_at timestamptz not null,
  -- Where it lives now, when its site says that it moved for good.
  moved_to text,
  -- What its site said for the next request.
  validators jsonb not null default '{}',
  -- Its content and what it has shown to be noise; null before the first look.
  state jsonb,
  capture_id uuid,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id),
  foreign key (account_id, competitor_id) references competitor (account_id, id) on delete cascade
);
create unique index competitor_page_url on competitor_page (account_id, product_id, url);
create index competitor_page_due on competitor_page (due_at);

-- What a page said, once for each content.
create table competitor_capture (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  page_id uuid not null,
  hash text not null,
  title text not null,
  -- Its blocks, one a line, headings marked.
  text text not null,
  http_status integer not null,
  fetched_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id),
  foreign key (account_id, page_id) references competitor_page (account_id, id) on delete cascade
);
create unique index competitor_capture_hash on competitor_capture (account_id, page_id, hash);

create table competitor_change (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  competitor_id uuid not null,
  page_id uuid not null,
  at timestamptz not null,
  kind text not null,
  severity text not null check (severity in ('low', 'medium', 'high')),
  summary text not null,
  -- The rules that said so.
  reasons text[] not null,
  added text[] not null,
  removed text[] not null,
  before_id uuid,
  after_id uuid,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id),
  foreign key (account_id, competitor_id) references competitor (account_id, id) on delete cascade,
  foreign key (account_id, page_id) references competitor_page (account_id, id) on delete cascade
);
create index competitor_change_at on competitor_change (account_id, product_id, at desc, id);
