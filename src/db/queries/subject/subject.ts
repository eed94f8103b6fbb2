import { type RawBuilder, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import { type Channel, type Locale, type ProfileList, type Stage, stages } from '../../../contract/enums.ts'
import type { SubjectRef } from '../../../contract/subjects/subject.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import type { SubjectTable } from '../../tables/subjects.ts'
import { keepReleased } from './former-address.ts'

/** The two identifiers of a person. */
export type SubjectNames = { id: string; uid: string }

/**
 * Resolves the subject in a path: by the producer's uid or, if there is none, by Carillon's id. `id`: `named`
 * if it has the form of an id, otherwise null. `hold`: prevents erasure until the transaction ends.
 */
export async function findSubjectNames(
  db: Db | Trx,
  { named, id, hold = false }: { named: string; id: string | null; hold?: boolean },
): Promise<SubjectNames | undefined> {
  return db
    .selectFrom('subject')
    .select(['id', 'uid'])
    .where((is) => (id === null ? is('uid', '=', named) : is.or([is('uid', '=', named), is('id', '=', id)])))
    .orderBy((is) => is('uid', '=', named), 'desc')
    .limit(1)
    .$if(hold, (query) => query.forKeyShare())
    .executeTakeFirst()
}

/** A person with addresses and consents, in one query. */
export async function findSubject(db: Db | Trx, id: string) {
  return db
    .selectFrom('subject')
    .selectAll()
    .select((from) => [
      jsonArrayFrom(
        from
          .selectFrom('address')
          .leftJoin('suppression', (on) =>
            on
              .onRef('suppression.channel', '=', 'address.channel')
              .onRef('suppression.hash', '=', 'address.hash'),
          )
          .select([
            'address.channel',
            'address',
            'bound_at',
            'blocked_at',
            'suppression.since as suppressed_at',
          ])
          .whereRef('address.subject_id', '=', 'subject.id')
          .orderBy('address.channel'),
      ).as('addresses'),
      jsonArrayFrom(
        from
          .selectFrom('consent')
          .select(['scope', 'version', 'source', 'granted_at', 'withdrawn_at'])
          .whereRef('consent.subject_id', '=', 'subject.id')
          .orderBy('scope'),
      ).as('consents'),
    ])
    .where('id', '=', id)
    .executeTakeFirst()
}
export type SubjectRow = NonNullable<Awaited<ReturnType<typeof findSubject>>>

/** A person's consent to a scope, withdrawn or not. */
export async function findConsent(db: Db | Trx, subjectId: string, scope: string) {
  return db
    .selectFrom('consent')
    .select(['scope', 'version', 'source', 'granted_at', 'withdrawn_at'])
    .where('subject_id', '=', subjectId)
    .where('scope', '=', scope)
    .executeTakeFirst()
}

/** Unbinds a person's address on a channel, of which its hash stays. Returns whether there was one. */
export async function deleteAddress(trx: Trx, subjectId: string, channel: Channel): Promise<boolean> {
  const { rows } = await sql`
    with released as (
      delete from address where subject_id = ${subjectId} and channel = ${channel}
      returning subject_id, channel, address, hash
    ),${keepReleased}
    select from released`.execute(trx)
  return rows.length > 0
}

/** A change of a person. A missing field is unchanged. */
export type SubjectChange = {
  uid: string
  stage?: Stage
  locale?: Locale
  /** null: none. */
  displayName?: string | null
  /** Merged key by key; null removes a key. */
  attributes?: Record<string, unknown>
  acquisition?: { source: string; ref?: string }
  addTags?: string[]
  removeTags?: string[]
} & { [list in ProfileList]?: string[] }

/** Creates visitors for uids that do not exist. In order of uid, so that two callers do not deadlock. */
export async function insertVisitors(trx: Trx, uids: readonly string[]): Promise<void> {
  await sql`
    insert into subject (uid)
    select distinct uid from unnest(${uids}::text[]) as input (uid) order by uid
    on conflict (uid) do nothing
  `.execute(trx)
}

/**
 * Applies changes to existing people, at most one per uid, and returns their ids by uid. Computes each column from the
 * row under its lock, so that a stage only moves forward and acquisition is written once, even with concurrent writers.
 * Two statements, because a single one that waits for a row would compare with the row's old version, and might find no
 * change (docs/design/transactions.md).
 */
export async function changeSubjects(trx: Trx, changes: SubjectChange[]): Promise<Map<string, string>> {
  const ids = await lockSubjects(
    trx,
    changes.map(({ uid }) => uid),
  )
  const existing = changes.filter(({ uid }) => ids.has(uid))
  const columns = Object.keys(next).map((column) => sql.ref(`subject.${column}`))
  const values = Object.values(next)
  const assignments = Object.entries(next).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await sql`
    with input as materialized (
      select value as change, value ->> 'uid' as uid from jsonb_array_elements(${JSON.stringify(existing)}::jsonb)
    )
    update subject set ${sql.join(assignments)}, updated_at = now(),
      moved_at = case when (subject.stage, subject.tags) is distinct from (${next.stage}, ${next.tags})
        then now() else subject.moved_at end
    from input
    where subject.uid = input.uid and (${sql.join(columns)}) is distinct from (${sql.join(values)})
  `.execute(trx)
  return ids
}

/** Which of these uids exist, with their ids; locked in order of uid, so that two callers do not deadlock. */
async function lockSubjects(trx: Trx, uids: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ uid: string; id: string }>`
    select uid, id from subject where uid = any(${uids}::text[]) order by uid for no key update
  `.execute(trx)
  return new Map(rows.map(({ uid, id }) => [uid, id]))
}

/** The column of each list of the profile. */
export const profileColumns = {
  roles: 'roles',
  orgUnits: 'org_units',
  classIds: 'class_ids',
} as const satisfies Record<ProfileList, keyof SubjectTable>

const change = sql.ref('input.change')

/** The columns that a change does not compute from the row and what is given. */
type FixedColumn = 'id' | 'uid' | 'created_at' | 'updated_at' | 'moved_at'

/** The new value of each column. */
const next = {
  stage: sql`case when ${rank(sql`${change} ->> 'stage'`)} > ${rank(sql`subject.stage`)}
    then ${change} ->> 'stage' else subject.stage end`,
  locale: sql`coalesce(${change} ->> 'locale', subject.locale)`,
  display_name: sql`case when ${change} ? 'displayName' then ${change} ->> 'displayName' else subject.display_name end`,
  roles: list('roles'),
  org_units: list('orgUnits'),
  class_ids: list('classIds'),
  tags: sql`(
    select coalesce(array_agg(tag order by ordinal), '{}') from (
      select tag, min(ordinal) as ordinal
      from unnest(subject.tags || ${texts('addTags')}) with ordinality as each (tag, ordinal) group by tag
    ) as wanted where tag <> all(${texts('removeTags')})
  )`,
  attributes: sql`(subject.attributes || coalesce(${change} -> 'attributes', '{}'))
    - array(select key from jsonb_each(${change} -> 'attributes') where value = 'null')`,
  acquisition_source: sql`coalesce(subject.acquisition_source, ${change} #>> '{acquisition,source}')`,
  acquisition_ref: sql`case when subject.acquisition_source is null then ${change} #>> '{acquisition,ref}'
    else subject.acquisition_ref end`,
} satisfies Record<Exclude<keyof SubjectTable, FixedColumn>, RawBuilder<unknown>>

function rank(stage: RawBuilder<unknown>): RawBuilder<number> {
  return sql`array_position(array[${sql.join(stages.map((one) => sql.lit(one)))}], ${stage})`
}

function list(key: ProfileList): RawBuilder<string[]> {
  const before = sql.ref(`subject.${profileColumns[key]}`)
  return sql`case when ${change} ? ${sql.lit(key)} then ${texts(key)} else ${before} end`
}

/** The texts under a key; none if it is missing. */
function texts(key: string): RawBuilder<string[]> {
  return sql`array(select jsonb_array_elements_text(${change} -> ${sql.lit(key)}))`
}

/** The names of the people with these uids, by uid; null: theirs is not known. Uids of nobody are absent. */
export async function findNames(db: Db, uids: readonly string[]): Promise<Map<string, string | null>> {
  if (uids.length === 0) return new Map()
  const rows = await db
    .selectFrom('subject')
    .select(['uid', 'display_name as name'])
    .where('uid', 'in', uids)
    .execute()
  return new Map(rows.map(({ uid, name }) => [uid, name]))
}

/**
 * The uids of these subjects. `unitId`: only of people with whom the unit has had a run, or who have answered one of its
 * messages; null: of all.
 */
export async function resolveSubjects(
  db: Db,
  ids: readonly string[],
  unitId: string | null,
): Promise<SubjectRef[]> {
  const { rows } = await sql<SubjectRef>`
    select subject.id as "subjectId", subject.uid from subject
    where subject.id = ${anyOf(ids)} and (${unitId}::uuid is null
      or exists (select from scenario_run as run where run.subject_id = subject.id and run.unit_id = ${unitId})
      or exists (select from message_answer as answer join message on message.id = answer.message_id
        where answer.subject_id = subject.id and message.unit_id = ${unitId}))`.execute(db)
  return rows
}

/** The language of a person. */
export async function localeOf(db: Db | Trx, subjectId: string): Promise<Locale> {
  const query = db.selectFrom('subject').select('locale').where('id', '=', subjectId)
  return (await query.executeTakeFirstOrThrow()).locale
}
