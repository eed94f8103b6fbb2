-- Groups of subjects: a unit's lists of members, and its named queries.

-- A group. static: has members. dynamic: the subjects that its query matches. legal_basis: one of the six of GDPR art.
-- 6.
-- kept_by: the producer key that keeps the group up to date; its changes alone return no message to review.
create table subject_group (
  id uuid primary key default uuidv7(),
  unit_id uuid not null references unit,
  name text not null,
  kind text not null check (kind in ('static', 'dynamic')),
  legal_basis text check (legal_basis in
    ('consent', 'contract', 'legal_obligation', 'vital_interests', 'public_task', 'legitimate_interests')),
  parent_id uuid references subject_group check (parent_id <> id),
  query jsonb,
  kept_by text references producer_key,
  created_at timestamptz not null default now(),
  check (kind = 'dynamic' or legal_basis is not null),
  check ((kind = 'dynamic') = (query is not null)),
  check (kind = 'static' or parent_id is null)
);
create index subject_group_unit on subject_group (unit_id, id);
create index subject_group_parent on subject_group (parent_id) where parent_id is not null;

-- A member of a static group. Members of a child are members of its parent: enforced by row locks in
-- src/services/groups/members.ts.
create table group_member (
  group_id uuid not null references subject_group,
  subject_id uuid not null references subject on delete cascade,
  added_at timestamptz not null default now(),
  primary key (group_id, subject_id)
);
create index group_member_subject on group_member (subject_id);

-- A change of a group's members or query by a person or key; what recipients do by a button is none. Ids of one group
-- are in the order of commits, because writers take turns (lockDefinition). approver: of the group's unit, at the time.
create table group_change (
  id bigint generated always as identity primary key,
  group_id uuid not null references subject_group,
  what text not null check (what in ('members', 'query')),
  actor text not null,
  approver boolean not null,
  at timestamptz not null default clock_timestamp()
);
create index group_change_group on group_change (group_id, id);
