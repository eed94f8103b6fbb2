/** Groups of subjects: a unit's lists of members, and its named queries. */
export const groups = `
-- static: has members; legal_basis: one of the six of GDPR art. 6. dynamic: the subjects that its query matches.
create table subject_group (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  name text not null,
  kind text not null check (kind in ('static', 'dynamic')),
  legal_basis text check (legal_basis in
    ('consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests')),
  parent_id uuid references subject_group check (parent_id <> id),
  query jsonb,
  created_at timestamptz not null default now(),
  check (kind = 'dynamic' or legal_basis is not null),
  check ((kind = 'dynamic') = (query is not null)),
  check (kind = 'static' or parent_id is null)
);
create index subject_group_unit on subject_group (unit_id, id);
create index subject_group_parent on subject_group (parent_id) where parent_id is not null;

-- Members of a child are members of its parent: enforced by row locks in src/services/groups/members.ts
create table group_member (
  group_id uuid not null references subject_group,
  subject_id uuid not null references subject on delete cascade,
  added_at timestamptz not null default now(),
  primary key (group_id, subject_id)
);
create index group_member_subject on group_member (subject_id);
`
