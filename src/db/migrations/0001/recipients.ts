/** Recipients' own data: read marks. */
export const recipients = `
-- read marks in a recipient's inbox; an item is a wave and a subject
create table inbox_read (
  subject_id uuid not null references subject on delete cascade,
  wave_id uuid not null references wave,
  read_at timestamptz not null default now(),
  primary key (subject_id, wave_id)
);
create index inbox_read_wave on inbox_read (wave_id);
`
