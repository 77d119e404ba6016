-- The value that a key had before it was regenerated, as long as it goes on working beside the new one. One that has
-- ended by itself stays until the key is regenerated again or deleted; nothing is allowed by it.
alter table api_key
  add column former_hash text check (char_length(former_hash) = 64),
  add column grace_ends_at timestamptz,
  add constraint api_key_grace check ((former_hash is null) = (grace_ends_at is null));
