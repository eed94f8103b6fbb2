import { sql } from 'kysely'
import type { TemplateState } from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../../contract/messages/content.ts'
import type { TemplateVariable } from '../../../contract/templates/template.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { contains, foundBy } from '../../contains.ts'
import { inUnits, lockRow, newestFirst, pageOfUnit, type RowPage } from '../../rows.ts'
import { authorsSinceApproved } from '../approval/authors.ts'
import { versionInForce } from '../approval/version-in-force.ts'
import { actorName } from '../identity/person.ts'

/** A template in its newest version; `inForce`: the one that messages use. */
export type Template = TemplateVersion & {
  id: string
  unitId: string
  /** Who may not approve the newest version; none unless it waits. */
  authors: string[]
  name: string
  categoryId: string
  inForce: number
}

/** Of `template_version as v`: a version, and the decision about it. */
const versionFacts = [
  'v.state',
  'v.version',
  'v.messages',
  'v.subject',
  'v.variables',
  'v.created_by as createdBy',
  'v.reason',
  'v.created_at as createdAt',
  'v.decided_by as decidedBy',
  'v.decided_at as decidedAt',
  actorName(sql.ref('v.created_by')).as('createdByName'),
  actorName(sql.ref('v.decided_by')).as('decidedByName'),
] as const

function selectTemplate(db: Db) {
  return selectNewest(db)
    .select(['t.id', 't.unit_id as unitId', 't.name', 't.category_id as categoryId'])
    .select(({ ref }) => versionInForce(ref('t.id')).as('inForce'))
    .select(({ ref }) =>
      sql<
        string[]
      >`case when v.state = 'draft' then ${authorsSinceApproved('template', ref('t.id'))} else '{}' end`.as(
        'authors',
      ),
    )
}

/**
 * Every template in its newest version, as `template as t` and `template_version as v`. A page of them is read in the
 * order of the templates (see `selectNewest` of scenarios).
 */
function selectNewest(db: Db) {
  return db
    .selectFrom('template as t')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('template_version')
          .selectAll('template_version')
          .whereRef('template_id', '=', 't.id')
          .orderBy('version', 'desc')
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .select(versionFacts)
}

/** The template of one of these units in its newest version. */
export async function findTemplate(db: Db, id: string, unitIds: string[]): Promise<Template | undefined> {
  return inUnits(selectTemplate(db), 't', id, unitIds).executeTakeFirst()
}

/** These templates, those of these units, each in its newest version. */
export async function findTemplates(
  db: Db,
  ids: readonly string[],
  unitIds: readonly string[],
): Promise<Template[]> {
  return selectTemplate(db).where('t.id', '=', anyOf(ids)).where('t.unit_id', '=', anyOf(unitIds)).execute()
}

type TemplateFilter = {
  unitId: string
  states?: TemplateState[] | undefined
  categoryId?: string | undefined
  q?: string | undefined
}

/** A unit's templates, newest first. */
export async function listTemplates(
  db: Db,
  { unitId, states, categoryId, q }: TemplateFilter,
  page: RowPage,
): Promise<Template[]> {
  return pageOfUnit(selectTemplate(db), 't', unitId, page)
    .$if(states !== undefined, (query) => query.where('v.state', 'in', states!))
    .$if(categoryId !== undefined, (query) => query.where('t.category_id', '=', categoryId!))
    .$if(q !== undefined, (query) => query.where(foundBy(q!, 't', contains(sql`t.name`, q!))))
    .execute()
}

/** One version of a template, and the decision about it. */
export type TemplateVersion = {
  state: TemplateState
  version: number
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  variables: TemplateVariable[]
  createdBy: string
  createdByName: string | null
  createdAt: Date
  decidedBy: string | null
  decidedByName: string | null
  decidedAt: Date | null
  reason: string | null
}

/** Every version of every template, as `template as t` and `template_version as v`. */
function selectVersion(db: Db) {
  return db
    .selectFrom('template as t')
    .innerJoin('template_version as v', 'v.template_id', 't.id')
    .select(versionFacts)
}

export async function listTemplateVersions(
  db: Db,
  id: string,
  page: RowPage<number>,
): Promise<TemplateVersion[]> {
  return newestFirst(selectVersion(db).where('t.id', '=', id), 'v.version', page).execute()
}

/** One version of a template; undefined if it does not exist. */
export async function findTemplateVersion(
  db: Db,
  id: string,
  version: number,
): Promise<{ state: TemplateState; categoryId: string } | undefined> {
  return db
    .selectFrom('template_version as v')
    .innerJoin('template as t', 't.id', 'v.template_id')
    .select(['v.state', 't.category_id as categoryId'])
    .where('v.template_id', '=', id)
    .where('v.version', '=', version)
    .executeTakeFirst()
}

/** The content of one version of a template; undefined if it does not exist. */
export async function findTemplateText(
  db: Db,
  id: string,
  version: number,
): Promise<Pick<TemplateVersion, 'subject' | 'messages' | 'variables'> | undefined> {
  return db
    .selectFrom('template_version')
    .select(['subject', 'messages', 'variables'])
    .where('template_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
}

export type NewVersion = {
  messages: CanonicalMessage[]
  subject: LocalisedText | null
  variables: TemplateVariable[]
  createdBy: string
  /** Who wrote it beside `createdBy`. */
  authors: string[]
}

type NewTemplate = { unitId: string; name: string; categoryId: string }

/** Creates a template without versions. Returns its id. */
export async function insertTemplate(trx: Trx, { unitId, name, categoryId }: NewTemplate): Promise<string> {
  const { id } = await trx
    .insertInto('template')
    .values({ unit_id: unitId, name, category_id: categoryId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Stores a draft as the newest version. Requires the template's lock, unless it is new. Returns the version's number.
 */
export async function insertVersion(trx: Trx, templateId: string, version: NewVersion): Promise<number> {
  const row = await trx
    .insertInto('template_version')
    .values({
      template_id: templateId,
      version: sql<number>`(select coalesce(max(version), 0) + 1 from template_version where template_id = ${templateId})`,
      messages: JSON.stringify(version.messages),
      subject: version.subject && JSON.stringify(version.subject),
      variables: JSON.stringify(version.variables),
      created_by: version.createdBy,
      authors: version.authors,
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  const names = version.variables.map(({ name }) => name)
  await sql`
    update template set variable_names = array(select distinct unnest(variable_names || ${names}::text[]))
    where id = ${templateId}`.execute(trx)
  return row.version
}

/** Locks a template, which serialises decisions about it. */
export async function lockTemplate(trx: Trx, id: string): Promise<void> {
  await lockRow(trx, 'template', id, 'change')
}

export type TemplateDecision = { state: Exclude<TemplateState, 'draft'>; by: string; reason: string | null }

/** Writes an approver's decision about a version. Requires `lockTemplate`. */
export async function decideTemplate(
  trx: Trx,
  id: string,
  version: number,
  decision: TemplateDecision,
): Promise<void> {
  await trx
    .updateTable('template_version')
    .set({
      state: decision.state,
      decided_by: decision.by,
      decided_at: sql`now()`,
      reason: decision.reason,
    })
    .where('template_id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** The names of the variables of every version of a template. */
export async function listVariableNames(db: Db, templateId: string): Promise<string[]> {
  const row = await db
    .selectFrom('template')
    .select('variable_names')
    .where('id', '=', templateId)
    .executeTakeFirstOrThrow()
  return row.variable_names
}
