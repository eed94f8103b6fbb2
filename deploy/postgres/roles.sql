-- The roles of an installation (docs/design/operating.md). Run it once as a superuser; their passwords are set apart
-- from it. The limits on connections add up to less than max_connections.

-- Owns all tables. Only `carillon migrate` runs as it.
create role carillon_owner login connection limit 10;
-- API, worker and command line. Reads and writes rows; creates, changes and drops nothing.
create role carillon_app login connection limit 120;
-- Temporal, which owns its own databases and may not connect to Carillon's.
create role temporal login connection limit 60;

-- The limits of src/db/connect.ts, which sends them when it connects. A connection pool such as PgBouncer hands its
-- server connections to others and drops them; those of a role hold nevertheless.
alter role carillon_app set statement_timeout = '60s';
alter role carillon_app set lock_timeout = '10s';
alter role carillon_app set idle_in_transaction_session_timeout = '30s';
alter role carillon_app set timezone = 'UTC';
