#!/bin/sh
# In the container of Postgres (deploy/restore.sh): waits until it has recovered, and recreates Temporal's databases. They
# are of another moment than the rows, and Carillon needs nothing of them: `carillon reconcile` starts the runs again.
set -eu
folder=$(dirname "$0")
until [ "$(psql -U postgres -XAtc 'select pg_is_in_recovery()')" = f ]; do sleep 1; done
psql -U postgres -X -v ON_ERROR_STOP=1 -qc 'drop database if exists temporal with (force)' \
  -c 'drop database if exists temporal_visibility with (force)' -f "$folder/temporal.sql"
