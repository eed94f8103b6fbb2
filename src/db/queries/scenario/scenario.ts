import { sql } from 'kysely'
import type {
  PatternType,
  ScenarioState,
  ScenarioVersionState,
  ShownScenarioState,
} from '../../../contract/enums.ts'
import type { LocalisedText } from '../../../contract/localised-text.ts'
import type { ScenarioContent, ScenarioTriggers } from '../../../contract/scenarios/content.ts'
import { type PatternTerms, termsOf, type WholeDesign } from '../../../domain/pattern/terms.ts'
import { jumpsOf } from '../../../domain/scenario/jumps.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { contains, foundBy } from '../../contains.ts'
import { inUnits, lockRow, newestFirst, pageOfUnit, type RowPage } from '../../rows.ts'
import { authorsSinceApproved } from '../approval/authors.ts'
import { actorName } from '../identity/person.ts'

/** A scenario in the version that new runs follow. `autoApproved`: no person has approved that version. */
export type ScenarioInForce = {
  id: string
  unitId: string
  state: ScenarioState
  version: number
  autoApproved: boolean
  categoryId: string
  content: ScenarioContent
}

/**
 * The version of a scenario that is in force, whatever the state of the scenario: a paused or retired one starts nothing.
 * Undefined if no version has been in force.
 */
export async function findScenarioInForce(db: Db, id: string): Promise<ScenarioInForce | undefined> {
  return db
    .selectFrom('scenario as s')
    .innerJoin('scenario_version as v', 'v.scenario_id', 's.id')
    .select(['s.id', 's.unit_id as unitId', 's.state'])
    .select(['v.version', 'v.automatic as autoApproved', 'v.category_id as categoryId', 'v.content'])
    .where('s.id', '=', id)
    .where('v.state', '=', 'in_force')
    .executeTakeFirst()
}

/** One version of a scenario and the decision about it, without what it says. */
export type ScenarioVersionFacts = {
  version: number
  versionState: ScenarioVersionState
  name: string
  categoryId: string
  triggers: ScenarioTriggers | null
  createdBy: string
  createdByName: string | null
  createdAt: Date
  submittedAt: Date | null
  autoApproved: boolean
  decidedBy: string | null
  decidedByName: string | null
  decidedAt: Date | null
  /** Why a person decides about it while it waits; why it was rejected. */
  reason: string | null
}
export type ScenarioVersion = ScenarioVersionFacts & { content: ScenarioContent }

/** A scenario with the facts of its newest version. `inForce`: the number of the one that new runs follow. */
export type ScenarioItem = ScenarioVersionFacts & {
  id: string
  unitId: string
  /** The scenario's own state; `shown` is `submitted` while its newest version waits. */
  state: ScenarioState
  shown: ShownScenarioState
  inForce: number | null
  /** Whether it can start now: it is active, and the category of the version in force is enabled. */
  canStart: boolean
  /** Whether the category of the newest version is enabled. */
  categoryEnabled: boolean
  /** Whether a paused one goes on when the version that waits is approved. */
  resumes: boolean
  /** The pattern that generated it, as its newest version calls it; null: it was written. */
  pattern: { type: PatternType; title: LocalisedText } | null
  /** Who may not approve the newest version; none unless it waits. */
  authors: string[]
}
export type Scenario = ScenarioItem & { content: ScenarioContent }

/** Of `scenario_version as v`: what a version is, without what it says. */
const versionFacts = [
  'v.version',
  'v.state as versionState',
  'v.name',
  'v.category_id as categoryId',
  'v.created_by as createdBy',
  'v.created_at as createdAt',
  'v.submitted_at as submittedAt',
  'v.automatic as autoApproved',
  'v.reason',
  'v.decided_by as decidedBy',
  'v.decided_at as decidedAt',
  sql<ScenarioTriggers | null>`v.content -> 'triggers'`.as('triggers'),
  actorName(sql.ref('v.created_by')).as('createdByName'),
  actorName(sql.ref('v.decided_by')).as('decidedByName'),
] as const

/** Every version of every scenario, as `scenario as s` and `scenario_version as v`. */
function selectVersion(db: Db) {
  return db
    .selectFrom('scenario as s')
    .innerJoin('scenario_version as v', 'v.scenario_id', 's.id')
    .select(versionFacts)
}

/**
 * Every scenario in its newest version, as `scenario as s` and `scenario_version as v`. A page of them is read in the
 * order of the scenarios, whatever the statistics say: Postgres takes the scenario before a version that is looked up
 * for it.
 */
function selectNewest(db: Db) {
  return db
    .selectFrom('scenario as s')
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('scenario_version')
          .selectAll('scenario_version')
          .whereRef('scenario_id', '=', 's.id')
          .orderBy('version', 'desc')
          .limit(1)
          .as('v'),
      (join) => join.onTrue(),
    )
    .select(versionFacts)
}

const shownState = sql<ShownScenarioState>`case when v.state = 'submitted' then v.state else s.state end`

/** Without `exists`: for a page of them Postgres would read every pattern and every version in force, of all units. */
function selectItem(db: Db) {
  return selectNewest(db)
    .select(['s.id', 's.unit_id as unitId', 's.state', 's.resumes'])
    .select(shownState.as('shown'))
    .select(({ ref }) =>
      sql<
        string[]
      >`case when v.state = 'submitted' then ${authorsSinceApproved('scenario', ref('s.id'))} else '{}' end`.as(
        'authors',
      ),
    )
    .select(
      sql<ScenarioItem['pattern']>`(
        select jsonb_build_object('type', pattern.type, 'title', coalesce(v.design -> 'title', pattern.title))
        from pattern where pattern.scenario_id = s.id)`.as('pattern'),
    )
    .select(
      sql<boolean>`s.state = 'active' and coalesce((
        select c.enabled from scenario_version as started join category as c on c.id = started.category_id
        where started.scenario_id = s.id and started.state = 'in_force'), false)`.as('canStart'),
    )
    .select(sql<boolean>`(select enabled from category where id = v.category_id)`.as('categoryEnabled'))
    .select(
      sql<number | null>`(
        select version from scenario_version where scenario_id = s.id and state = 'in_force')`.as('inForce'),
    )
}

/** A scenario of one of these units, in its newest version. */
export async function findScenario(db: Db, id: string, unitIds: string[]): Promise<Scenario | undefined> {
  return inUnits(selectItem(db).select('v.content'), 's', id, unitIds).executeTakeFirst()
}

/** The same, locked: changes of one scenario follow each other. */
export async function lockScenario(trx: Trx, id: string, unitIds: string[]): Promise<Scenario | undefined> {
  await lockRow(trx, 'scenario', id, 'change')
  return findScenario(trx, id, unitIds)
}

/** Those of these scenarios that belong to these units. */
export async function findScenarios(
  db: Db,
  ids: readonly string[],
  unitIds: readonly string[],
): Promise<ScenarioItem[]> {
  return selectItem(db).where('s.id', '=', anyOf(ids)).where('s.unit_id', '=', anyOf(unitIds)).execute()
}

type ScenarioFilter = {
  unitId: string
  states?: ShownScenarioState[] | undefined
  categoryId?: string | undefined
  q?: string | undefined
  summary: boolean
}

/** A unit's scenarios, newest first. `summary`: without content. */
export async function listScenarios(
  db: Db,
  { unitId, states, categoryId, q, summary }: ScenarioFilter,
  page: RowPage,
): Promise<(ScenarioItem & { content?: ScenarioContent })[]> {
  return pageOfUnit(selectItem(db), 's', unitId, page)
    .$if(!summary, (query) => query.select('v.content'))
    .$if(states !== undefined, (query) => query.where(shownState, 'in', states!))
    .$if(categoryId !== undefined, (query) => query.where('v.category_id', '=', categoryId!))
    .$if(q !== undefined, (query) => query.where(foundBy(q!, 's', contains(sql`v.name`, q!))))
    .execute()
}

/** The versions of a scenario, newest first. */
export async function listScenarioVersions(
  db: Db,
  id: string,
  page: RowPage<number>,
): Promise<ScenarioVersion[]> {
  return newestFirst(
    selectVersion(db).select('v.content').where('s.id', '=', id),
    'v.version',
    page,
  ).execute()
}

/** One version of a scenario; undefined if it does not exist. */
export async function findScenarioVersion(
  db: Db,
  id: string,
  version: number,
): Promise<ScenarioVersion | undefined> {
  return selectVersion(db)
    .select('v.content')
    .where('s.id', '=', id)
    .where('v.version', '=', version)
    .executeTakeFirst()
}

/** Which of these ids are scenarios of the unit, in any state. */
export async function findKnownScenarios(db: Db, unitId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('scenario')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('id', '=', anyOf(ids))
    .execute()
  return rows.map(({ id }) => id)
}

/** Creates a scenario without versions. Returns its id. */
export async function insertScenario(
  trx: Trx,
  { unitId, createdBy }: { unitId: string; createdBy: string },
): Promise<string> {
  const { id } = await trx
    .insertInto('scenario')
    .values({ unit_id: unitId, created_by: createdBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type NewScenarioVersion = {
  name: string
  categoryId: string
  content: ScenarioContent
  createdBy: string
  /** Who wrote it beside `createdBy`. */
  authors?: readonly string[]
  /** Of one that a pattern generates, what it is made of. */
  design?: WholeDesign
}

/**
 * Adds a draft as the newest version of a new or locked scenario. It takes the place of a version that is a draft or
 * waits. Returns its number.
 */
export async function insertScenarioVersion(
  trx: Trx,
  id: string,
  { name, categoryId, content, createdBy, authors = [], design }: NewScenarioVersion,
): Promise<number> {
  await replaceVersions(trx, id, ['draft', 'submitted'])
  const { version } = await trx
    .insertInto('scenario_version')
    .values({
      scenario_id: id,
      version: sql<number>`(
        select coalesce(max(version), 0) + 1 from scenario_version where scenario_id = ${id})`,
      state: 'draft',
      name,
      category_id: categoryId,
      content: JSON.stringify(content),
      jumps: JSON.stringify(jumpsOf(content)),
      design: design === undefined ? null : JSON.stringify(design),
      created_by: createdBy,
      authors: [...new Set([createdBy, ...authors])],
    })
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

type VersionId = { id: string; version: number }

/** Lets a draft of a locked scenario wait for an approver. Who asks for its activation becomes an author. */
export async function submitScenarioVersion(
  trx: Trx,
  { id, version }: VersionId,
  { reason, by }: { reason: string; by: string },
): Promise<void> {
  await trx
    .updateTable('scenario_version')
    .set({
      state: 'submitted',
      submitted_at: sql<Date>`clock_timestamp()`,
      submitted_by: by,
      reason,
      authors: withAuthor(by),
    })
    .where('scenario_id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** Adds an author of what has not been approved yet of a scenario. */
export async function addScenarioAuthor(trx: Trx, id: string, by: string): Promise<void> {
  await trx
    .updateTable('scenario_version')
    .set({ authors: withAuthor(by) })
    .where('scenario_id', '=', id)
    .where('state', 'in', ['draft', 'submitted'])
    .execute()
}

function withAuthor(by: string) {
  return sql<string[]>`array(select unnest(authors) union select ${by})`
}

/** What a version is made of that a pattern generated; undefined: it was written as a graph. */
export async function findDesign(db: Db, { id, version }: VersionId): Promise<WholeDesign | undefined> {
  const row = await db
    .selectFrom('scenario_version')
    .select('design')
    .where('scenario_id', '=', id)
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.design ?? undefined
}

/**
 * The pattern of a locked scenario, locked, and the terms that this version of it has; undefined: it has none of its own,
 * as no pattern generated it.
 */
export async function lockTermsOf(
  trx: Trx,
  version: VersionId,
): Promise<{ patternId: string; terms: PatternTerms } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from pattern where scenario_id = ${version.id} for no key update`.execute(trx)
  const design = rows[0] && (await findDesign(trx, version))
  return rows[0] && design && { patternId: rows[0].id, terms: termsOf(design) }
}

/**
 * Puts a version of a locked scenario in force, in place of the one before, with its triggers. `submittedBy`: of one that
 * has not waited.
 *
 * Violates `scenario_trigger_pkey` if another scenario has one of them.
 */
export async function putScenarioInForce(
  trx: Trx,
  { id, version }: VersionId,
  {
    by,
    autoApproved,
    submittedBy,
    triggers,
  }: { by: string; autoApproved: boolean; submittedBy?: string | undefined; triggers: string[] },
): Promise<void> {
  await replaceVersions(trx, id, ['in_force'])
  await trx
    .updateTable('scenario_version')
    .set({
      state: 'in_force',
      automatic: autoApproved,
      submitted_at: sql<Date>`coalesce(submitted_at, clock_timestamp())`,
      ...(submittedBy !== undefined && { submitted_by: submittedBy }),
      decided_by: by,
      decided_at: sql<Date>`clock_timestamp()`,
      reason: null,
    })
    .where('scenario_id', '=', id)
    .where('version', '=', version)
    .execute()
  await deleteTriggers(trx, id)
  if (triggers.length === 0) return
  await trx
    .insertInto('scenario_trigger')
    .values(triggers.map((trigger) => ({ trigger, scenario_id: id })))
    .execute()
}

/** Ends the wait of the version of a locked scenario: an approver rejects it, or an author takes it back. */
export async function endScenarioWait(
  trx: Trx,
  { id, version }: VersionId,
  state: 'rejected' | 'withdrawn',
  { by, reason }: { by: string; reason: string | null },
): Promise<void> {
  await trx
    .updateTable('scenario_version')
    .set({ state, decided_by: by, decided_at: sql<Date>`clock_timestamp()`, reason })
    .where('scenario_id', '=', id)
    .where('version', '=', version)
    .execute()
}

/** Writes the state of a locked scenario. `resumes`: whether a pause ends with the next approval. */
export async function setScenarioState(
  trx: Trx,
  id: string,
  state: ScenarioState,
  resumes = false,
): Promise<void> {
  await trx.updateTable('scenario').set({ state, resumes }).where('id', '=', id).execute()
}

/** Retires a locked scenario for good: nothing starts it, and what waits for an approver does not any more. */
export async function retireScenario(trx: Trx, id: string): Promise<void> {
  await replaceVersions(trx, id, ['submitted'])
  await deleteTriggers(trx, id)
  await trx.updateTable('scenario').set({ state: 'retired', resumes: false }).where('id', '=', id).execute()
}

async function replaceVersions(trx: Trx, id: string, states: ScenarioVersionState[]): Promise<void> {
  await trx
    .updateTable('scenario_version')
    .set({ state: 'replaced' })
    .where('scenario_id', '=', id)
    .where('state', 'in', states)
    .execute()
}

async function deleteTriggers(trx: Trx, id: string): Promise<void> {
  await trx.deleteFrom('scenario_trigger').where('scenario_id', '=', id).execute()
}

/** A trigger, the scenario that has it, and its unit. */
type TriggerHolder = { trigger: string; scenarioId: string; unitId: string }

/** Which of these triggers start a scenario in force, of any unit. */
export async function findTriggerHolders(db: Db, triggers: readonly string[]): Promise<TriggerHolder[]> {
  return db
    .selectFrom('scenario_trigger as t')
    .innerJoin('scenario as s', 's.id', 't.scenario_id')
    .select(['t.trigger', 't.scenario_id as scenarioId', 's.unit_id as unitId'])
    .where('t.trigger', '=', sql<string>`any(${triggers}::text[])`)
    .orderBy('t.trigger')
    .execute()
}
