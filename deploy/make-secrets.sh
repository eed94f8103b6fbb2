#!/bin/sh
# Makes the files of secrets that docker-compose.yml mounts, in deploy/secrets: random passwords and SECRETS_KEY. Keeps
# the files that exist. Only you can enter the folder; its files are readable, because the users of the containers differ.
# Also makes deploy/backups, into which Postgres writes its backups: the same holds for it.
set -eu
umask 022
cd "$(dirname "$0")"
mkdir -p secrets backups/postgres && chmod 700 secrets backups
chmod 1777 backups/postgres
cd secrets
mkdir -p postgres owner app temporal

# keep <file> <command …>: writes the output of the command into the file, if there is none.
keep() {
  file=$1
  shift
  [ -s "$file" ] || "$@" > "$file"
}

keep postgres/superuser_password openssl rand -hex 24
for role in owner app temporal; do keep "postgres/${role}_password" openssl rand -hex 24; done
keep temporal/temporal_password cat postgres/temporal_password
for role in owner app; do
  keep "$role/database_url" \
    printf 'postgres://carillon_%s:%s@postgres:5432/carillon\n' "$role" "$(cat "postgres/${role}_password")"
done
keep app/secrets_key openssl rand -base64 32
keep owner/secrets_key cat app/secrets_key
