-- Every process keeps the repositories of the products it is asked about in memory, and hears here that one changed.
create function notify_repository_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('repository_changed', old.account_id || ' ' || old.product_id);
  else
    perform pg_notify('repository_changed', new.account_id || ' ' || new.product_id);
  end if;
  return null;
end
$$;

create trigger repository_changed after insert or update or delete on repository
  for each row execute function notify_repository_changed();
