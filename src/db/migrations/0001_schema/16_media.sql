-- Pictures that units upload for their messages (docs/design/media.md).

-- A picture. token: names it in its address. store: where its files are. stored_at: null while they are being written.
-- named_at: when a content was last seen to name it.
create table media (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  token text not null unique,
  type text not null check (type in ('image/jpeg', 'image/png')),
  width integer not null,
  height integer not null,
  store text not null check (store in ('postgres', 's3')),
  created_by text not null,
  created_at timestamptz not null default clock_timestamp(),
  stored_at timestamptz,
  named_at timestamptz
);
create index media_unit on media (unit_id, id);
create index media_unnamed on media (coalesce(named_at, created_at));
create index media_unstored on media (created_at) where stored_at is null;

-- A file of a picture that is kept in Postgres: the picture itself, or its preview.
create table media_file (
  media_id uuid not null references media on delete cascade,
  preview boolean not null,
  data bytea not null,
  primary key (media_id, preview)
);
-- Pictures are compressed already.
alter table media_file alter column data set storage external;
