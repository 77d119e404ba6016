-- Decisions that are files: of a repository, or of a folder that somebody imported.

alter table decision add column repository_id uuid;
alter table decision add column path text;
-- Of the file: the same text changes nothing.
alter table decision add column text_hash text;
create unique index decision_file on decision (account_id, product_id, coalesce(repository_id, '00000000-0000-0000-0000-000000000000'), path)
  where path is not null;
