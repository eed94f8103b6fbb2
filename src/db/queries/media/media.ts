import { sql } from 'kysely'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, pageOfUnit, type RowPage } from '../../rows.ts'
import type { KeptType, MediaStoreName } from '../../tables/media.ts'

/** A picture, without its files. */
export type MediaRow = {
  id: string
  token: string
  type: KeptType
  width: number
  height: number
  store: MediaStoreName
}

type NewMedia = Omit<MediaRow, 'id'> & { unitId: string; createdBy: string }

/** Writes a picture whose files are yet to be written: until then nobody finds it. */
export async function insertMedia(trx: Trx, { unitId, createdBy, ...row }: NewMedia): Promise<string> {
  const { id } = await trx
    .insertInto('media')
    .values({ ...row, unit_id: unitId, created_by: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Its files are written. */
export async function endStoring(trx: Trx, id: string): Promise<void> {
  await trx
    .updateTable('media')
    .set({ stored_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
}

function selectMedia(db: Db) {
  return db
    .selectFrom('media')
    .select(['media.id', 'token', 'type', 'width', 'height', 'store'])
    .where('stored_at', 'is not', null)
}

/** A picture of one of these units. */
export async function findMedia(db: Db, id: string, unitIds: string[]): Promise<MediaRow | undefined> {
  return inUnits(selectMedia(db), 'media', id, unitIds).executeTakeFirst()
}

/** A unit's pictures, newest first. */
export async function listMedia(db: Db, unitId: string, page: RowPage): Promise<MediaRow[]> {
  return pageOfUnit(selectMedia(db), 'media', unitId, page).execute()
}

/** The picture that a token names. */
export async function findByToken(db: Db, token: string): Promise<MediaRow | undefined> {
  return selectMedia(db).where('token', '=', token).executeTakeFirst()
}

/** Which of these tokens name pictures. */
export async function findTokens(db: Db, tokens: readonly string[]): Promise<string[]> {
  const rows = await selectMedia(db).where('token', 'in', tokens).execute()
  return rows.map(({ token }) => token)
}

/** The files of a picture: it, and its preview. */
export type PictureFiles = { whole: Buffer; preview: Buffer }

/** Keeps the files of a picture in Postgres. */
export async function insertFiles(db: Db, mediaId: string, { whole, preview }: PictureFiles): Promise<void> {
  await db
    .insertInto('media_file')
    .values([
      { media_id: mediaId, preview: false, data: whole },
      { media_id: mediaId, preview: true, data: preview },
    ])
    .execute()
}

/** A file that is kept in Postgres; undefined if there is none. */
export async function findFile(db: Db, mediaId: string, preview: boolean): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('media_file')
    .select('data')
    .where('media_id', '=', mediaId)
    .where('preview', '=', preview)
    .executeTakeFirst()
  return row?.data
}

/** How many pictures one transaction looks for in the contents of their units. */
const atOnce = 50

/**
 * Pictures that no content names, after so many days since one was last seen to; and uploads that were broken off an hour
 * ago. Those that a content names are looked for again after as many days. Locks them.
 */
export async function takeUnnamed(trx: Trx, days: number): Promise<MediaRow[]> {
  const { rows } = await sql<MediaRow>`
    with old as (
      select * from media where id = any(array(
        select id from media where coalesce(named_at, created_at) < now() - make_interval(days => ${days})
        order by coalesce(named_at, created_at) limit ${atOnce}
      ) || array(
        select id from media where stored_at is null and created_at < now() - interval '1 hour'
        order by created_at limit ${atOnce}
      ))
      for update skip locked
    ),
    owner as (select unit_id, min(created_at) as since from old group by unit_id),
    text as (
      select request::text || coalesce(frozen::text, '') as words
      from owner join message on message.unit_id = owner.unit_id and message.created_at >= owner.since
        join message_content on message_id = message.id
      where message.purged_at is null
      union all
      select version.messages::text from owner join template on template.unit_id = owner.unit_id
        join template_version as version on version.template_id = template.id
      union all
      select version.content::text from owner join scenario on scenario.unit_id = owner.unit_id
        join scenario_version as version on version.scenario_id = scenario.id
      union all
      select schedule.message::text from owner join schedule on schedule.unit_id = owner.unit_id
      union all
      select unit.sender::text from owner join unit on unit.id = owner.unit_id
    ),
    named as (
      select distinct found[1] as token from text, regexp_matches(words, '/media/([A-Za-z0-9_-]{22})', 'g') as found
    ),
    kept as (
      update media set named_at = clock_timestamp() from old
      where media.id = old.id and old.token in (select token from named)
    )
    select id, token, type, width, height, store from old where token not in (select token from named)`.execute(
    trx,
  )
  return rows
}

/** Deletes pictures, with those of their files that are in Postgres. */
export async function deleteMedia(trx: Trx, ids: readonly string[]): Promise<void> {
  await trx.deleteFrom('media').where('id', 'in', ids).execute()
}
