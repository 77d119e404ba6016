-- Says which repository changed, so that processes read that one anew and not all of the product.
create or replace function notify_repository_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    perform pg_notify('repository_changed', old.account_id || ' ' || old.product_id || ' ' || old.id);
  else
    perform pg_notify('repository_changed', new.account_id || ' ' || new.product_id || ' ' || new.id);
  end if;
  return null;
end
$$;
