-- What the application's role may do in the database of Carillon. Run it once in that database, as a superuser and
-- before the first `carillon migrate`: it is about the tables that the owner makes from now on.
grant usage on schema public to carillon_app;
alter default privileges for role carillon_owner in schema public
  grant select, insert, update, delete on tables to carillon_app;
alter default privileges for role carillon_owner in schema public grant usage, select on sequences to carillon_app;
alter default privileges for role carillon_owner in schema public grant execute on functions to carillon_app;
