-- Trackers tell of changes by webhooks, beside the hourly look.

-- Encrypted; null without a webhook.
alter table tracker add column webhook_secret text;
alter table tracker add column webhook_used_at timestamptz;
-- When a webhook told of a change that was not read yet.
alter table tracker_issue add column told_at timestamptz;
create index tracker_issue_told on tracker_issue (told_at) where told_at is not null;
