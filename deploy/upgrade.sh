#!/bin/sh
# Replaces a running installation of docker-compose.yml by the release in this folder, one process after the other, so
# that callers notice nothing (docs/operating.md, "Replacing the processes"):
#   sh deploy/upgrade.sh [--no-backup] [image]
# Builds the image, or pulls the one that is named. --no-backup: Postgres is elsewhere, and you have just backed it up.
# Stops at the first step that fails, and says where that leaves the installation. It can be run again.
set -eu
cd "$(dirname "$0")/.."

workers="worker-1 worker-2"
apis="api-1 api-2"

# How long a new process may take to be healthy, and how long the proxy may take to have noticed it: it asks Docker's DNS
# every 5 s, and each process every 2 s (deploy/haproxy.cfg).
healthy_seconds=180
noticed_seconds=10

backup=yes
image=
for argument in "$@"; do
  case $argument in
    --no-backup) backup=no ;;
    -*) echo "Usage: sh deploy/upgrade.sh [--no-backup] [image]" >&2 && exit 2 ;;
    *) image=$argument ;;
  esac
done

step=
begin() {
  step=$1
  printf '\n== %s\n' "$step"
}

go_back="docker tag carillon:before carillon, then for each of $workers $apis: docker compose up -d --no-deps --wait <it>"
left="Nothing has changed."
ended() {
  code=$?
  [ "$code" -eq 0 ] || printf '\nupgrade: failed at "%s".\n%s\n' "$step" "$left" >&2
}
trap ended EXIT

begin "Check the old release"
docker compose config --quiet
for service in $apis $workers proxy; do
  [ "$(docker compose ps --format '{{.Health}}' "$service")" = healthy ] ||
    { echo "$service is not healthy: docker compose ps, docker compose logs $service" >&2 && exit 1; }
done
docker compose exec -T api-1 node src/cli.ts doctor

begin "Keep the old image as carillon:before"
# The last process to be replaced runs it, also where an earlier run of this script has ended in between.
last=$(docker compose ps --quiet api-2)
docker tag "$(docker inspect --format '{{.Image}}' "$last")" carillon:before

begin "Get the new image"
left="The old release goes on running; the image carillon may be the new one. Run this again, or: docker tag carillon:before carillon"
if [ -n "$image" ]; then
  docker pull "$image"
  docker tag "$image" carillon
else
  docker compose build migrate
fi

begin "Try its settings"
docker compose run --rm --no-deps -T cli doctor --settings

if [ "$backup" = yes ]; then
  begin "Back up Postgres"
  sh deploy/backup.sh
fi

begin "Migrate"
docker compose run --rm --no-deps -T migrate

left="The database has the tables of the new release, which the old one works on. Mend the cause and run this again, or go back:
  $go_back"

# replace <service>: the others go on meanwhile.
replace() {
  begin "Replace $1"
  docker compose up -d --no-deps --wait --wait-timeout "$healthy_seconds" "$1"
}

for service in $workers; do replace "$service"; done
for service in $apis; do
  replace "$service"
  sleep "$noticed_seconds"
  docker compose exec -T proxy wget -qO- 'http://127.0.0.1:8404/stats;csv' |
    awk -F, -v service="$service" '$1 == "api" && $2 == service && $18 ~ /^UP/ { up = 1 } END { exit !up }' ||
    { echo "The proxy does not send requests to $service: docker compose logs proxy" >&2 && exit 1; }
done

begin "Check the new release"
left="All processes run the new release. See above for the output of doctor. To go back:
  $go_back"
docker compose exec -T api-1 node src/cli.ts doctor

printf '\nUpgraded. The old image is carillon:before.\n'
echo "Postgres, Temporal and the proxy were left alone: docker compose up -d replaces those that this release changes."
