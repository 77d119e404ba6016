-- Uploaded documents and the documentation of indexed repositories. Their searchable text is in the knowledge tables.

create table document (
  account_id uuid not null,
  id uuid not null,
  product_id uuid not null,
  kind text not null check (kind in ('upload', 'product_doc')),
  -- File name, or path in an archive or repository. Uploading a name again makes a new version.
  name text not null,
  -- The repository that a product doc is in; '' for an upload.
  repository text not null,
  title text not null,
  -- What the content was found to be; null until it was looked at.
  type text check (type in ('markdown', 'text', 'html', 'pdf', 'docx', 'csv', 'zip')),
  tags text[] not null,
  -- SHA-256 of the upload, or git's name of the blob.
  hash text not null,
  size_bytes bigint not null,
  version integer not null,
  status text not null check (status in ('waiting', 'ready', 'failed')),
  -- Why it could not be read, and what to do.
  error jsonb,
  -- Entries of an archive that were left out, with reasons.
  problems jsonb not null default '[]',
  sections integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  updated_by text not null,
  primary key (account_id, id),
  foreign key (account_id, product_id) references product (account_id, id)
);
create unique index document_name on document (account_id, product_id, kind, repository, name);
create index document_status on document (account_id, product_id, status, id);

-- All versions of uploads; the blobs hold their bytes as they came.
create table document_version (
  account_id uuid not null,
  document_id uuid not null,
  version integer not null,
  hash text not null,
  size_bytes bigint not null,
  created_at timestamptz not null,
  created_by text not null,
  primary key (account_id, document_id, version),
  foreign key (account_id, document_id) references document (account_id, id) on delete cascade
);
create index document_version_hash on document_version (account_id, hash);

-- Blobs that versions use or have used; see repository_blob.
create table document_blob (
  account_id uuid not null,
  hash text not null,
  released_at timestamptz,
  primary key (account_id, hash)
);
