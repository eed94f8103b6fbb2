import { sql } from 'kysely'
import type { Locale, TopicStatus } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, pageOfUnit, type RowPage } from '../../rows.ts'

export type Topic = { id: string; unitId: string; name: LocalisedText; status: TopicStatus; createdAt: Date }

function selectTopic(db: Db | Trx) {
  return db
    .selectFrom('topic')
    .select(['id', 'unit_id as unitId', 'name', 'status', 'created_at as createdAt'])
}

/** Creates a topic in a unit, active by default. Returns its id. */
export async function insertTopic(
  db: Db,
  topic: { unitId: string; name: LocalisedText; status?: TopicStatus | undefined },
): Promise<string> {
  const { id } = await db
    .insertInto('topic')
    .values({ unit_id: topic.unitId, name: JSON.stringify(topic.name), status: topic.status })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Locks a unit's row, which serialises who creates and renames its topics. Call it before locking a topic. */
export async function lockTopicsOf(trx: Trx, unitId: string): Promise<void> {
  await sql`select from unit where id = ${unitId} for no key update`.execute(trx)
}

/**
 * Another topic of the unit (not `but`) with the same name in one of the languages, without regard to case. Requires
 * `lockTopicsOf`.
 */
export async function findNamesake(
  trx: Trx,
  { unitId, name, but }: { unitId: string; name: LocalisedText; but?: string },
): Promise<{ id: string; locale: Locale } | undefined> {
  const { rows } = await sql<{ id: string; locale: Locale }>`
    select topic.id, input.key as locale from topic
      join jsonb_each_text(${JSON.stringify(name)}::jsonb) as input
        on lower(btrim(topic.name ->> input.key)) = lower(btrim(input.value))
    where unit_id = ${unitId} and topic.id is distinct from ${but ?? null}::uuid
    order by topic.id, input.key desc limit 1
  `.execute(trx)
  return rows[0]
}

export async function findTopic(db: Db | Trx, id: string, unitIds: string[]): Promise<Topic | undefined> {
  return inUnits(selectTopic(db), 'topic', id, unitIds).executeTakeFirst()
}

/** The status of a topic of any unit. */
export async function findTopicStatus(db: Db, id: string): Promise<TopicStatus | undefined> {
  const row = await db.selectFrom('topic').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status
}

type TopicFilter = { unitId: string; statuses?: TopicStatus[] | undefined }

/** A unit's topics, newest first. */
export async function listTopics(db: Db, { unitId, statuses }: TopicFilter, page: RowPage): Promise<Topic[]> {
  return pageOfUnit(selectTopic(db), 'topic', unitId, page)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses!))
    .execute()
}

/** Changes the given fields of a topic. */
export async function updateTopic(
  trx: Trx,
  id: string,
  { name, status }: { name?: LocalisedText | undefined; status?: TopicStatus | undefined },
): Promise<void> {
  await trx
    .updateTable('topic')
    .set({ ...(name && { name: JSON.stringify(name) }), ...(status && { status }) })
    .where('id', '=', id)
    .execute()
}
