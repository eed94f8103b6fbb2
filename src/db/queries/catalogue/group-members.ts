import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'

/** People by uid or by subject id; `packedIds`: subject ids of 16 bytes each, one after the other. */
export type MemberRefs =
  | { uids: readonly string[] }
  | { subjectIds: readonly string[] }
  | { packedIds: Buffer }

/** `known`: how many of the people exist; `refused`: how many were refused; if any, nothing was changed. */
type MembersChanged = { known: number; refused: number; changed: number }

/**
 * Adds people to a group in one statement; refuses people who are not in the parent. Locks in order of ids, so that two
 * callers who add the same people wait for one another instead of deadlocking.
 */
export function insertMembers(
  trx: Trx,
  { id, parentId }: { id: string; parentId: string | null },
  people: MemberRefs,
): Promise<MembersChanged> {
  const outside = sql`not exists (
        select from group_member where group_id = ${parentId} and subject_id = input.id
      )`
  return change(
    sql`
    with input as (select id from subject where ${named(people)} order by id for key share),
    refused as (select count(*) as people from input where ${parentId === null ? sql`false` : outside}),
    changed as (
      insert into group_member (group_id, subject_id)
      select ${id}::uuid, input.id from input, refused where refused.people = 0 order by input.id
      on conflict do nothing returning subject_id
    )`,
    trx,
  )
}

/** Removes people from a group in one statement; refuses people who are in one of its children. */
export function deleteMembers(trx: Trx, groupId: string, people: MemberRefs): Promise<MembersChanged> {
  return change(
    sql`
    with input as (select id from subject where ${named(people)}),
    refused as (
      select count(distinct input.id) as people from input
      join group_member as held on held.subject_id = input.id
      join subject_group as child on child.id = held.group_id and child.parent_id = ${groupId}
    ),
    changed as (
      delete from group_member using input, refused
      where group_id = ${groupId} and subject_id = input.id and refused.people = 0
      returning subject_id
    )`,
    trx,
  )
}

async function change(parts: RawBuilder<unknown>, trx: Trx): Promise<MembersChanged> {
  const { rows } = await sql<MembersChanged>`${parts}
    select (select count(*) from input) as known, people as refused, (select count(*) from changed) as changed
    from refused`.execute(trx)
  return rows[0]!
}

function named(people: MemberRefs): RawBuilder<boolean> {
  if ('uids' in people) return sql`uid = any(${people.uids}::text[])`
  if ('subjectIds' in people) return sql`id = any(${people.subjectIds}::uuid[])`
  const count = people.packedIds.length / uuidBytes
  return sql`id in (
      select encode(substring(${people.packedIds}::bytea from number * ${uuidBytes}::int + 1 for ${uuidBytes}::int), 'hex')::uuid
      from generate_series(0, ${count}::int - 1) as number)`
}

const uuidBytes = 16

/** The ids of these people, packed, and how many of them exist. `uids`: without duplicates. */
export async function packSubjectIds(db: Db, uids: string[]): Promise<{ packedIds: Buffer; known: number }> {
  const { rows } = await sql<{ packedIds: Buffer; known: number }>`
    select coalesce(string_agg(uuid_send(id), ''), '') as "packedIds", count(*) as known
    from subject where uid = any(${uids}::text[])`.execute(db)
  return rows[0]!
}

/** How many members of a group are not in `parentId`. */
export async function countOutside(trx: Trx, groupId: string, parentId: string): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(*) as people from group_member as own where group_id = ${groupId} and not exists (
      select from group_member where group_id = ${parentId} and subject_id = own.subject_id
    )`.execute(trx)
  return rows[0]!.people
}

/** Number of members of a static group. */
export async function countMembers(db: Db, groupId: string): Promise<number> {
  const { people } = await db
    .selectFrom('group_member')
    .select(({ fn }) => fn.countAll<number>().as('people'))
    .where('group_id', '=', groupId)
    .executeTakeFirstOrThrow()
  return people
}

type Member = { subjectId: string; uid: string; addedAt: Date }

/** Members of a group by subject id, after the id `after`. */
export async function listMembers(db: Db, groupId: string, { after, limit }: RowPage): Promise<Member[]> {
  return db
    .selectFrom('group_member as m')
    .innerJoin('subject as s', 's.id', 'm.subject_id')
    .select(['s.id as subjectId', 's.uid', 'm.added_at as addedAt'])
    .where('m.group_id', '=', groupId)
    .$if(after !== null, (query) => query.where('m.subject_id', '>', after!))
    .orderBy('m.subject_id')
    .limit(limit)
    .execute()
}
