import { type NotNull, sql } from 'kysely'
import type { CompositionKind } from '../../../contract/enums.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits, pageOfUnit, type RowPage } from '../../rows.ts'
import { actorName } from '../identity/person.ts'
import type { Writer } from '../message/content.ts'

/** What somebody writes. `title`: the first text of it, `form`: its fields, by name, complete or not. */
export type Composition = {
  id: string
  unitId: string
  kind: CompositionKind
  messageId: string | null
  templateId: string | null
  patternId: string | null
  title: string
  form: [name: string, value: string][]
  version: number
  updatedBy: string
  updatedByName: string | null
  updatedAt: Date
  /** It becomes a personal message, or changes one. */
  personal: boolean
  /** Whether the reader began it, or wrote in it or in the message that it changes. */
  isAuthor: boolean
}

/** What a list shows of one: forms may be long. */
export type ListedComposition = Omit<Composition, 'form'>

/** What is being written. `actor`: the reader. */
function selectComposition(db: Db | Trx, actor: string) {
  return db
    .selectFrom('composition')
    .where('submitted_id', 'is', null)
    .select(['id', 'unit_id as unitId', 'kind', 'message_id as messageId', 'title', 'version'])
    .select(['template_id as templateId', 'pattern_id as patternId'])
    .select(['updated_by as updatedBy', 'updated_at as updatedAt'])
    .select(({ ref }) => actorName(ref('updated_by')).as('updatedByName'))
    .select([isPersonal.as('personal'), isWrittenBy(actor).as('isAuthor')])
}

/**
 * By the fields of the form, or by the message that it changes; one is looked up by its key, which `exists` leaves to the
 * planner.
 */
const isPersonal = sql<boolean>`(kind = 'message' and (form @> '[["kind", "personal"]]'
  or form @> '[["audience.kind", "individual"]]'
  or coalesce((select message.kind = 'personal' from message where message.id = composition.message_id), false)))`

function isWrittenBy(actor: string) {
  return sql<boolean>`coalesce(created_by = ${actor} or (
    select not author.copied from composition_author as author
    where author.composition_id = composition.id and author.actor = ${actor}
  ) or (
    select not author.copied from message_author as author
    where author.message_id = composition.message_id and author.actor = ${actor}), false)`
}

/** What is being written in one of these units. */
export async function findComposition(
  db: Db | Trx,
  { id, unitIds, actor }: { id: string; unitIds: string[]; actor: string },
): Promise<Composition | undefined> {
  return inUnits(selectComposition(db, actor).select('form'), 'composition', id, unitIds).executeTakeFirst()
}

/** What is written in a unit and is no message yet, the newest first. */
export async function listCompositions(
  db: Db,
  { unitId, actor }: { unitId: string; actor: string },
  page: RowPage,
): Promise<ListedComposition[]> {
  return pageOfUnit(selectComposition(db, actor), 'composition', unitId, page).execute()
}

/** What one changes; null each of something new. */
type Changes = Pick<Composition, 'messageId' | 'templateId' | 'patternId'>
export type BegunComposition = Pick<Composition, 'unitId' | 'kind' | 'form'> & Changes

type NewComposition = BegunComposition & {
  title: string
  actor: string
  /** Whose words it begins with. */
  wordsOf: readonly string[]
}

/** Begins one; of what somebody changes already, that one. Nobody has written in it yet. Returns its id. */
export async function insertComposition(
  trx: Trx,
  { unitId, kind, messageId, templateId, patternId, title, form, actor, wordsOf }: NewComposition,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with begun as (
      insert into composition (unit_id, kind, message_id, template_id, pattern_id, title, form, created_by, updated_by)
      values (${unitId}, ${kind}, ${messageId}, ${templateId}, ${patternId}, ${title}, ${JSON.stringify(form)}, ${actor}, ${actor})
      on conflict do nothing returning id
    ), author as (
      insert into composition_author (composition_id, actor, copied) select id, unnest(${wordsOf}::text[]), true from begun
    )
    select id from begun`.execute(trx)
  if (rows[0]) return rows[0].id
  const { id } = await trx
    .selectFrom('composition')
    .select('id')
    .where(({ or, eb }) =>
      or([
        eb('message_id', '=', messageId),
        eb('template_id', '=', templateId),
        eb('pattern_id', '=', patternId),
      ]),
    )
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Saves what was written over this version of it, whose authors the actor then belongs to, unless it is the same; false if
 * somebody has saved another one since.
 */
export async function saveComposition(
  db: Db | Trx,
  {
    id,
    version,
    title,
    form,
    actor,
  }: Pick<Composition, 'id' | 'version' | 'title' | 'form'> & { actor: string },
): Promise<boolean> {
  const { rows } = await sql`
    with saved as (
      update composition set title = ${title}, form = ${JSON.stringify(form)}::jsonb, updated_by = ${actor},
        version = version + 1, updated_at = clock_timestamp()
      where id = ${id} and version = ${version} and submitted_id is null
      returning id, old.form <> new.form as changed
    ), author as (
      insert into composition_author (composition_id, actor) select id, ${actor} from saved where changed
      on conflict (composition_id, actor) do update set copied = false
    )
    select from saved`.execute(db)
  return rows.length > 0
}

/** Who wrote in one. `copied`: their words came in with what it was begun from. */
export async function findWriters(db: Db | Trx, id: string): Promise<Writer[]> {
  return db
    .selectFrom('composition_author')
    .select(['actor', 'copied'])
    .where('composition_id', '=', id)
    .orderBy('actor')
    .execute()
}

/** Locks one until the end of the transaction. Returns its version; undefined: it is submitted or gone. */
export async function lockComposition(trx: Trx, id: string): Promise<number | undefined> {
  const row = await trx
    .selectFrom('composition')
    .select('version')
    .where('id', '=', id)
    .where('submitted_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row?.version
}

/** Deletes one that nobody wants. */
export async function deleteComposition(db: Db, id: string): Promise<void> {
  await db.deleteFrom('composition').where('id', '=', id).where('submitted_id', 'is', null).execute()
}

/** Names the draft that was made of it. */
export async function nameMessageOf(db: Db | Trx, id: string, messageId: string): Promise<void> {
  await db
    .updateTable('composition')
    .set({ message_id: messageId })
    .where('id', '=', id)
    .where('submitted_id', 'is', null)
    .execute()
}

/**
 * Names what it has become, and nothing else of it: its words and authors stand there, and whoever goes on with the same
 * draft, template or pattern writes anew.
 */
export async function markSubmitted(trx: Trx, id: string, submittedId: string): Promise<void> {
  await sql`
    with author as (delete from composition_author where composition_id = ${id})
    update composition set submitted_id = ${submittedId}, message_id = null, template_id = null,
      pattern_id = null, title = '', form = '[]', updated_at = clock_timestamp()
    where id = ${id}`.execute(trx)
}

/** What one has become, of which kind; undefined: it is being written, or gone. */
export async function findSubmitted(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<{ kind: CompositionKind; submittedId: string } | undefined> {
  const query = db
    .selectFrom('composition')
    .select(['kind', 'submitted_id as submittedId'])
    .where('submitted_id', 'is not', null)
    .$narrowType<{ submittedId: NotNull }>()
  return inUnits(query, 'composition', id, unitIds).executeTakeFirst()
}
