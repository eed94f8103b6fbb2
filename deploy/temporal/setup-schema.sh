#!/bin/sh
# Creates or updates the schema of Temporal in its two databases, which exist (deploy/postgres/init.sql). Safe to repeat:
# what a database has already is skipped.
set -eu
SQL_PASSWORD=$(cat /run/secrets/temporal_password)
export SQL_PASSWORD

setup() {
  database=$1
  folder=/etc/temporal/schema/postgresql/v12/$2/versioned
  tool="temporal-sql-tool --plugin postgres12 --ep postgres --port 5432 --user temporal --database $database"
  $tool setup-schema --version 0.0
  $tool update-schema --schema-dir "$folder"
}

setup temporal temporal
setup temporal_visibility visibility
