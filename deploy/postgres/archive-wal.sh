#!/bin/sh
# archive_command of docker-compose.yml: keeps a finished file of the write-ahead log, compressed. A file that is there
# already is kept as it is, and must be the same. Until the first base backup begins, the log is of no use, and not kept.
#   archive-wal.sh <path> <name>
set -eu
umask 022
backups=${BACKUPS:-/backups}
[ -d "$backups/base" ] || exit 0
kept=$backups/wal/$2.gz
if [ -e "$kept" ]; then
  gzip -dc "$kept" | cmp -s - "$1"
  exit
fi
gzip -1c "$1" > "$kept.part"
sync "$kept.part"
mv "$kept.part" "$kept"
