-- Issue trackers that a product is connected to, and the issues that were made there of its work items.

create table tracker (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  kind text not null check (kind in ('github', 'gitlab', 'linear', 'jira')),
  base_url text not null,
  -- owner/name, group/project, key of a team or of a project.
  project text not null,
  -- Whose token it is, where the tracker asks for it; ''.
  user_name text not null,
  -- Of Jira; ''.
  issue_type text not null,
  -- Encrypted (src/platform/secrets.ts).
  token text not null,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index tracker_destination on tracker (account_id, product_id, kind, base_url, project);

-- One work item at one destination. It stays when the connection is removed, so that the same one made again sends nothing twice.
create table tracker_issue (
  account_id uuid not null,
  plan_id uuid not null,
  item_key text not null,
  kind text not null,
  base_url text not null,
  project text not null,
  product_id uuid not null,
  -- Counts up when the issue was deleted there and the item is sent again.
  round integer not null,
  -- When sending began: an issue of an attempt whose end nobody knows is not older.
  begun_at timestamptz not null,
  -- Until then nobody else sends it; null when nobody does.
  claimed_until timestamptz,
  -- Null until it is known that the issue is there.
  external_id text,
  label text,
  url text,
  status text,
  is_closed boolean not null default false,
  is_gone boolean not null default false,
  sent_at timestamptz,
  sent_by text not null,
  checked_at timestamptz,
  -- Why its status could not be read the last time.
  fault text,
  primary key (account_id, plan_id, item_key, kind, base_url, project),
  foreign key (account_id, plan_id, item_key) references work_item (account_id, plan_id, key) on delete cascade
);
create index tracker_issue_checked on tracker_issue (checked_at) where external_id is not null;
