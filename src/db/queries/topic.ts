import type { LocalisedText } from '../../contract/localised-text.ts'
import type { Db } from '../connect.ts'

/** Makes a topic in a unit, active from the start. Answers its id. */
export async function insertTopic(db: Db, topic: { unitId: string; name: LocalisedText }): Promise<string> {
  const { id } = await db
    .insertInto('topic')
    .values({ unit_id: topic.unitId, name: JSON.stringify(topic.name) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function findTopicStatus(db: Db, id: string): Promise<'active' | 'inactive' | undefined> {
  const row = await db.selectFrom('topic').select('status').where('id', '=', id).executeTakeFirst()
  return row?.status
}
