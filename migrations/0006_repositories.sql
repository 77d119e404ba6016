-- SCIP indexes that were uploaded for a commit of a repository; the content is a blob. They are applied when the commit
-- is the one that is served, and kept until newer ones push them out.
create table repository_scip (
  account_id uuid not null,
  repository_id uuid not null,
  -- In full.
  commit text not null,
  -- Name and version of the indexer.
  tool text not null,
  -- Folder of the repository that its paths start in; '' for the whole.
  root text not null,
  hash text not null,
  size_bytes bigint not null,
  documents integer not null,
  occurrences integer not null,
  uploaded_at timestamptz not null,
  primary key (account_id, repository_id, commit, tool, root),
  foreign key (account_id, repository_id) references repository (account_id, id) on delete cascade
);
