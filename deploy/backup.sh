#!/bin/sh
# Takes a base backup of the Postgres of docker-compose.yml into deploy/backups/postgres/base, and deletes those beyond the
# newest seven, with the log that only they need (docs/operating.md, "Backups"):
#   sh deploy/backup.sh [how many to keep]
set -eu
cd "$(dirname "$0")/.."
docker compose exec -T postgres sh /etc/carillon/base-backup.sh "${1:-7}"
