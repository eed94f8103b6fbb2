#!/bin/sh
# In the container of Postgres (deploy/backup.sh): takes a base backup, verifies it, and deletes what is no longer needed.
#   base-backup.sh <how many to keep>
set -eu
umask 022
backups=${BACKUPS:-/backups}
keep=$1
name=$(date -u +%Y%m%dT%H%M%SZ)
part=$backups/.$name
# From now on the log is archived (archive-wal.sh).
mkdir -p "$backups/wal"
mkdir -p "$backups/base"
trap 'rm -rf "$part"' EXIT

pg_basebackup --username=postgres --pgdata="$part" --format=tar --gzip --wal-method=stream --checkpoint=fast
pg_verifybackup --no-parse-wal "$part"
# Where it starts in the log: older files than that are of no use to it.
tar -xzOf "$part/base.tar.gz" backup_label |
  sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\))$/\1/p' > "$part/start-wal"
[ -s "$part/start-wal" ]
chmod -R a+rX "$part"
mv "$part" "$backups/base/$name"

ls "$backups/base" | sort -r | tail -n "+$((keep + 1))" | while read -r old; do rm -r "$backups/base/$old"; done
oldest=$(cat "$backups/base/$(ls "$backups/base" | sort | head -n 1)/start-wal")
ls "$backups/wal" | grep -E '^[0-9A-F]{24}\.' | awk -v oldest="$oldest" '($0 "") < (oldest "")' |
  while read -r old; do rm "$backups/wal/$old"; done
echo "Backed up to base/$name, $(du -sk "$backups/base/$name" | cut -f1) kB."
