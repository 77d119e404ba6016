-- Which key the secrets of the installation are encrypted with: processes that lack it do not start. One row at most.
create table sealing_key (
  only_one boolean primary key default true check (only_one),
  -- The beginning of its SHA-256 (src/platform/secrets.ts); never the key.
  id text not null
);
comment on table sealing_key is '@reference the same for all accounts';
