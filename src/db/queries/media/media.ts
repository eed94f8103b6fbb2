import { type RawBuilder, sql } from 'kysely'
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

/** Which of these tokens name pictures of a unit. */
export async function findTokens(db: Db, unitId: string, tokens: readonly string[]): Promise<string[]> {
  const rows = await selectMedia(db).where('unit_id', '=', unitId).where('token', 'in', tokens).execute()
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

/** How much of a file one read takes: what Postgres answers is decoded on the thread that serves. */
const readBytes = 128 * 1024

/** The size of a file that is kept in Postgres (bytes); undefined if there is none. */
export async function findFileSize(db: Db, mediaId: string, preview: boolean): Promise<number | undefined> {
  const row = await db
    .selectFrom('media_file')
    .select(sql<number>`octet_length(data)`.as('bytes'))
    .where('media_id', '=', mediaId)
    .where('preview', '=', preview)
    .executeTakeFirst()
  return row?.bytes
}

/**
 * Such a file, part by part.
 * @throws if it is deleted meanwhile
 */
export async function* readFile(
  db: Db,
  { mediaId, preview, bytes }: { mediaId: string; preview: boolean; bytes: number },
): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; at += readBytes) {
    const row = await db
      .selectFrom('media_file')
      .select(sql<Buffer>`substring(data from ${at + 1}::int for ${readBytes}::int)`.as('part'))
      .where('media_id', '=', mediaId)
      .where('preview', '=', preview)
      .executeTakeFirstOrThrow()
    yield row.part
  }
}

/** How many pictures one transaction looks for in the contents of their units. */
const atOnce = 500

/**
 * Every place of a unit that can hold the address of a picture, by its column. Contents count as long as somebody may yet
 * read them, however old they are: what is left out here is lost to recipients (test/integration/media/places.test.ts).
 */
export const picturePlaces = {
  'message_content.request': sql`select request::text as words from owner join message using (unit_id)
        join message_content on message_id = message.id where message.purged_at is null`,
  'message_content.frozen': sql`select frozen::text from owner join message using (unit_id)
        join message_content on message_id = message.id where message.purged_at is null`,
  'composition.form': sql`select form::text from owner join composition using (unit_id) where submitted_id is null`,
  'template_version.messages': sql`select messages::text from owner join template using (unit_id)
        join template_version on template_id = template.id`,
  'template_version.variables': sql`select variables::text from owner join template using (unit_id)
        join template_version on template_id = template.id`,
  'scenario_version.content': sql`select content::text from owner join scenario using (unit_id)
        join scenario_version on scenario_id = scenario.id`,
  'scenario_run.variables': sql`select variables::text from owner join scenario_run using (unit_id) where closed_at is null`,
  'scenario_start.variables': sql`select scenario_start.variables::text from owner join scenario using (unit_id)
        join scenario_start on scenario_start.scenario_id = scenario.id`,
  'pattern.kept': sql`select kept::text from owner join pattern using (unit_id)`,
  'schedule.message': sql`select message::text from owner join schedule using (unit_id)`,
  'schedule.start': sql`select start::text from owner join schedule using (unit_id)`,
  'unit.sender': sql`select sender::text from owner join unit on unit.id = owner.unit_id`,
} as const satisfies Record<string, RawBuilder<unknown>>

/**
 * Pictures that no content of their unit names, after so many days since one was last seen to; and uploads that were broken
 * off an hour ago. Those that a content names are looked for again after as many days. Locks them.
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
    owner as (select distinct unit_id from old),
    text as (
      ${sql.join(Object.values(picturePlaces), sql` union all `)}
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
