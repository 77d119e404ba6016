-- The embedded database collects statistics only now and then, and a planner without any takes every index that begins
-- with account and product for as good as the one that has all columns of a look-up: an import read the whole product for
-- each of its signals. What is true of most databases is said from the start: all rows are of one account and one product.
-- Statistics that are collected later replace this. Servers before 18 cannot be told, and collect theirs at once.
do $$
declare
  place record;
begin
  if to_regproc('pg_catalog.pg_restore_attribute_stats') is null then
    return;
  end if;
  for place in
    select columns.table_schema, columns.table_name, columns.column_name
      from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where columns.table_schema = current_schema() and tables.table_type = 'BASE TABLE'
       and columns.column_name in ('account_id', 'product_id')
       and not exists (select from pg_stats
                        where schemaname = table_schema and tablename = table_name and attname = column_name)
  loop
    perform pg_catalog.pg_restore_attribute_stats(
      'schemaname', place.table_schema::text, 'relname', place.table_name::text, 'attname', place.column_name::text,
      'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 1::real);
  end loop;
end
$$;
