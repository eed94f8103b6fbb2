-- Run by psql in the image of Postgres, as the superuser, when its data folder is empty (docker-compose.yml). Each
-- password is that of the file of secrets of its role.
\set ON_ERROR_STOP on
\i /etc/carillon/roles.sql
\set owner_password `cat /run/secrets/owner_password`
\set app_password `cat /run/secrets/app_password`
\set temporal_password `cat /run/secrets/temporal_password`
alter role carillon_owner password :'owner_password';
alter role carillon_app password :'app_password';
alter role temporal password :'temporal_password';

create database carillon owner carillon_owner;
revoke connect on database carillon from public;
grant connect on database carillon to carillon_app;

\i /etc/carillon/temporal.sql

\connect carillon
\i /etc/carillon/database.sql
