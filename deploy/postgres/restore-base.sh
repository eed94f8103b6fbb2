#!/bin/sh
# In a container of Postgres that does not run (deploy/restore.sh): puts a base backup in the place of the data, which is
# kept beside it. The server recovers at its next start, from the archived log.
#   restore-base.sh <backup> [<moment>]
set -eu
backups=${BACKUPS:-/backups}
backup=$backups/base/$1
moment=${2:-}
[ -f "$backup/base.tar.gz" ] || { echo "No backup $1. There are: $(ls "$backups/base" | xargs)" >&2 && exit 1; }

new=$PGDATA.restored
rm -rf "$new"
mkdir -p "$(dirname "$new")"
mkdir -m 700 "$new"
tar -xzf "$backup/base.tar.gz" -C "$new"
tar -xzf "$backup/pg_wal.tar.gz" -C "$new/pg_wal"
settings=$new/postgresql.auto.conf
grep -Ev '^(restore_command|recovery_target)' "$settings" > "$settings.new" || true
{
  echo "restore_command = 'gzip -dc $backups/wal/%f.gz > \"%p\"'"
  [ -z "$moment" ] || printf "recovery_target_time = '%s'\nrecovery_target_action = 'promote'\n" "$moment"
} >> "$settings.new"
mv "$settings.new" "$settings"
touch "$new/recovery.signal"

if [ -d "$PGDATA" ]; then
  before=$PGDATA.before-$(date -u +%Y%m%dT%H%M%SZ)
  mv "$PGDATA" "$before"
  echo "The data of before is in $before: delete it when all is well."
fi
mv "$new" "$PGDATA"
