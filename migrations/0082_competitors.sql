-- What a change says, what people did about it, pages in searches, and alerts to chats.

alter table competitor_change
  -- Plan, limit or clause, before and after: see `Statement`.
  add column statements jsonb not null default '[]',
  -- Who looks after it; '' for nobody.
  add column owner text not null default '' check (char_length(owner) <= 80),
  -- How much it matters to people here; null for what its severity says.
  add column importance text check (importance in ('low', 'medium', 'high')),
  add column dismissed_at timestamptz,
  add column dismissed_by text;

-- Whether searches have the text of the page.
alter table competitor_page add column is_searchable boolean not null default false;

-- The address of a chat lets everybody post there: it is encrypted in the place of a secret.
alter table competitor_digest
  drop constraint competitor_digest_channel_check,
  drop constraint competitor_digest_check,
  drop constraint competitor_digest_every_check,
  add constraint competitor_digest_channel_check check (channel in ('webhook', 'email', 'slack', 'teams')),
  add constraint competitor_digest_check check ((channel = 'email') = (secret is null)),
  add constraint competitor_digest_every_check check (every in ('now', 'day', 'week'));
