-- Gives a database that one role has owned and used to the owner's role. Run it in that database as a superuser, after
-- roles.sql and database.sql, while no process of Carillon runs.
do $$
declare
  one record;
begin
  execute format('alter database %I owner to carillon_owner', current_database());
  for one in
    select oid::regclass as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
  loop
    execute format('alter table %s owner to carillon_owner', one.name);
  end loop;
  for one in select oid::regprocedure as name from pg_proc where pronamespace = 'public'::regnamespace
  loop
    execute format('alter function %s owner to carillon_owner', one.name);
  end loop;
end $$;
grant select, insert, update, delete on all tables in schema public to carillon_app;
grant usage, select on all sequences in schema public to carillon_app;
grant execute on all functions in schema public to carillon_app;
