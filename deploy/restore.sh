#!/bin/sh
# Restores the Postgres of docker-compose.yml from deploy/backups/postgres (docs/operating.md, "Backups"):
#   sh deploy/restore.sh                                      lists the backups
#   sh deploy/restore.sh <backup>                             to the end of the archived log
#   sh deploy/restore.sh <backup> '2026-12-01 09:30:00+08'    to this moment
# Stops everything. The old data is kept beside the new; Temporal's databases are recreated, empty.
set -eu
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
  ls deploy/backups/postgres/base
  exit
fi

docker compose stop
docker compose run --rm --no-deps -T --entrypoint sh postgres /etc/carillon/restore-base.sh "$@"
docker compose up -d --no-deps --wait postgres
docker compose exec -T postgres sh /etc/carillon/after-restore.sh
cat <<'END'

Restored. Now, in this order (docs/operating.md, "Backups"):
  docker compose run --rm temporal-namespace
  docker compose up -d --wait api-1 api-2 proxy
    and pause the messages that were being sent at that moment: POST /v1/messages/{id}/pause
  docker compose run --rm cli reconcile
  docker compose up -d
    and resume what you have paused
  docker compose run --rm cli doctor
END
