-- When a key was first used, at most a second late. Keys that were used before this column show the time of their last use.
alter table api_key add column first_used_at timestamptz;
update api_key set first_used_at = last_used_at;
