-- In whose name a key acts: it can what its scopes and this person's present role both allow. Null: it belongs to the
-- installation (made with the owner's token). No foreign key: whoever removes a member says what becomes of their keys.
alter table api_key add column person_id uuid;

-- Keys that were made by keys belong to the person at the beginning, also where a key in between is gone.
with recursive maker (account_id, key_id, actor, steps) as (
  select account_id, id, created_by, 0 from api_key
  union all
  select maker.account_id, maker.key_id, audit_log.actor, maker.steps + 1
    from maker
    join audit_log on audit_log.account_id = maker.account_id and audit_log.action = 'api_key.create'
                  and audit_log.target = substring(maker.actor from 5)
   where maker.actor like 'key:%' and maker.steps < 100
)
update api_key set person_id = substring(maker.actor from 8)::uuid
  from maker
 where maker.account_id = api_key.account_id and maker.key_id = api_key.id and maker.actor like 'person:%';

-- Who is no member any more leaves no key that works.
update api_key set expires_at = least(expires_at, now())
 where not exists (
   select from member where member.account_id = api_key.account_id and member.person_id = api_key.person_id
 );

-- Nothing was ever allowed by this scope.
update api_key set scopes = array_remove(scopes, 'scrape')
 where 'scrape' = any(scopes) and scopes <> array['scrape'];
