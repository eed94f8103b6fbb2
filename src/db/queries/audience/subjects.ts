import { type RawBuilder, sql } from 'kysely'
import { type AudienceDimension, type HistoryKind, isOneOf, keysOf } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import { type Broken, broken } from '../../../contract/rules.ts'
import {
  type Audience,
  type AudienceDimensions,
  type DimensionValues,
  dimensionsIn,
  type ExcludedPeople,
  type HistoryEntry,
  type HistoryOf,
  type QueryAudience,
} from '../../../domain/audience/audience.ts'
import { canonicalJson } from '../../../domain/lib/canonical-json.ts'
import { isId } from '../../../domain/lib/id.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'

/**
 * The scope in which an audience is read: the unit whose groups and messages it may name, and the queries of its
 * dynamic groups, by id.
 */
export type AudienceScope = { unitId: string; groupQueries?: ReadonlyMap<string, QueryAudience> }

/**
 * Whether an audience names the row `subject`. Dimensions are combined with AND, values within one with OR, `exclude`
 * removes (docs/design/audiences.md); a dimension without values matches no one. Groups and messages of other
 * units have no members, recipients or answers here.
 * @throws ServiceError validation_error if a query has no dimension, or one that is not known here
 */
export function matchesAudience(audience: Audience, scope: AudienceScope): RawBuilder<boolean> {
  if (audience.kind === 'individual') return sql`subject.uid = any(${audience.uids}::text[])`
  const { kind, exclude, ...query } = audience
  if (kind === 'all' && !exclude) return sql`true`
  const named = kind === 'all' ? [] : conditions(query, scope)
  const removed = exclude ? [isRemoved(exclude, scope)] : []
  return allOf([...named, ...removed])
}

function conditions(query: AudienceDimensions, scope: AudienceScope): RawBuilder<unknown>[] {
  const { ofPerson, lists } = questionsIn(query, scope, 'audience')
  return [...ofPerson, ...lists.map((list) => isIn([list]))]
}

/** Conditions on the person go inside the subquery of the lists, so that the whole is one anti-join. */
function isRemoved({ kind, ...exclude }: ExcludedPeople, scope: AudienceScope): RawBuilder<boolean> {
  const { ofPerson, lists } = questionsIn(exclude, scope, 'audience.exclude')
  return sql`not ${lists.length === 0 ? sql`(${allOf(ofPerson)})` : isIn(lists, ofPerson)}`
}

/**
 * How a dimension is asked: by a condition on the row `subject`, or by a list, a query of `subject_id` in another table,
 * which may repeat a subject.
 */
type Question<Value> = {
  of: 'person' | 'list'
  sql: (values: Value[], scope: AudienceScope) => RawBuilder<unknown>
}

/** In the order in which the conditions stand in a statement: what is in the row first. */
const questions: { [name in AudienceDimension]: Question<DimensionValues[name]> } = {
  roles: { of: 'person', sql: (roles) => sql`subject.roles && ${roles}::text[]` },
  stages: { of: 'person', sql: (stages) => sql`subject.stage = any(${stages}::text[])` },
  orgUnits: { of: 'person', sql: (orgUnits) => sql`subject.org_units && ${orgUnits}::text[]` },
  classIds: { of: 'person', sql: (classIds) => sql`subject.class_ids && ${classIds}::text[]` },
  tags: { of: 'person', sql: (tags) => sql`subject.tags && ${tags}::text[]` },
  groups: { of: 'list', sql: inGroups },
  history: { of: 'list', sql: withHistory },
}

/** What these dimensions ask, all of which must hold. */
function questionsIn(dimensions: AudienceDimensions, scope: AudienceScope, path: string) {
  assertAnswerable(dimensions, path)
  const inTurn = <Name extends AudienceDimension>(name: Name) => {
    const question = questions[name]
    const values: DimensionValues[Name][] | undefined = dimensions[name]
    return values === undefined ? [] : [{ of: question.of, sql: question.sql(values, scope) }]
  }
  const all = keysOf(questions).flatMap(inTurn)
  const those = (of: 'person' | 'list') => all.filter((one) => one.of === of).map((one) => one.sql)
  return { ofPerson: those('person'), lists: those('list') }
}

/** A stored audience may be of another version of Carillon: a dimension that is left out would match more people. */
function assertAnswerable(dimensions: AudienceDimensions, path: string): void {
  const names = keysOf(dimensions).filter((name) => dimensions[name] !== undefined)
  const unknown = names.filter((name) => !isOneOf(keysOf(questions), name))
  if (names.length === 0) throw unanswerable(path, broken('no_dimension'))
  if (unknown.length > 0)
    throw unanswerable(path, broken('unknown_dimension', { of: 'audience', values: unknown }))
}

function unanswerable(path: string, rule: Broken): ServiceError {
  return new ServiceError('validation_error', `${path} ${rule.message}.`, { issues: [{ path, ...rule }] })
}

/** Members of static groups, and the subjects that the queries of dynamic groups match. */
function inGroups(groups: string[], { unitId, groupQueries }: AudienceScope): RawBuilder<unknown> {
  const ids = distinctIds(groups)
  const queries = ids.map((id) => groupQueries?.get(id)).filter((query) => query !== undefined)
  // A statement has 65,535 parameters: each query once, in however many groups it stands.
  const dynamic = distinctBy(queries, canonicalJson).map(
    (query) => sql`
          union select subject.id from subject where ${matchesAudience(query, { unitId })}`,
  )
  return sql`
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any(${ids}::uuid[]) and subject_group.unit_id = ${unitId}${sql.join(dynamic, sql``)}`
}

/** The well-formed ids among these, each once. */
function distinctIds(references: string[]): string[] {
  return [...new Set(references.filter(isId).map((id) => id.toLowerCase()))]
}

function distinctBy<Item>(items: Item[], key: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

/**
 * Whether the row `subject` is in all of these lists: they are intersected with one another first, so that the whole is
 * one semi-join.
 */
function isIn(of: RawBuilder<unknown>[], also: RawBuilder<unknown>[] = []): RawBuilder<boolean> {
  const list = sql.join(of.length > 1 ? of.map((one) => sql`(${one})`) : of, sql` intersect `)
  return sql`exists (
          select from (${list}) as list
          where ${allOf([sql`list.subject_id = subject.id`, ...also])}
        )`
}

/**
 * Conditions that must all hold.
 * @throws Error if there is none: no condition would mean everybody
 */
function allOf(conditions: RawBuilder<unknown>[]): RawBuilder<boolean> {
  if (conditions.length === 0) throw new Error('An audience ended without a condition.')
  return sql`${sql.join(conditions, sql`\n          and `)}`
}

const lookups: {
  [kind in HistoryKind]: (entries: HistoryOf<kind>[], unitId: string) => RawBuilder<unknown>
} = { received, answered, registered }

/** Subjects with at least one of these entries, as a query of `subject_id`: one subquery per kind. */
function withHistory(entries: HistoryEntry[], { unitId }: AudienceScope): RawBuilder<unknown> {
  const unknown = entries.find(({ kind }) => !isOneOf(keysOf(lookups), kind))
  if (unknown)
    throw unanswerable(
      'audience.history',
      broken('unknown_dimension', { of: 'history', values: [unknown.kind] }),
    )
  const lookUp = <Kind extends HistoryKind>(kind: Kind) => {
    const these = entries.filter((entry): entry is HistoryOf<Kind> => entry.kind === kind)
    return these.length > 0 ? [lookups[kind](these, unitId)] : []
  }
  if (entries.length === 0) return sql`select null::uuid as subject_id where false`
  return sql.join(
    keysOf(lookups).flatMap(lookUp),
    sql`
          union`,
  )
}

/** Subjects to whom the message was, or may have been, sent. */
function received(entries: HistoryOf<'received'>[], unitId: string): RawBuilder<unknown> {
  const ids = entries.map(({ messageId }) => messageId).filter(isId)
  return sql`
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any(${ids}::uuid[]) and message.unit_id = ${unitId}
          and delivery.state in ('sent', 'unknown')`
}

/** Subjects who pressed an option of the message; with an option id, that option. */
function answered(entries: HistoryOf<'answered'>[], unitId: string): RawBuilder<unknown> {
  const valid = entries.filter(({ messageId }) => isId(messageId))
  const ids = valid.map(({ messageId }) => messageId)
  const options = valid.map(({ optionId }) => optionId ?? null)
  return sql`
          select answer.subject_id
          from unnest(${ids}::uuid[], ${options}::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = ${unitId}
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)`
}

/** Subjects who have a place in the pattern. */
function registered(entries: HistoryOf<'registered'>[], unitId: string): RawBuilder<unknown> {
  const ids = entries.map(({ patternInstanceId }) => patternInstanceId).filter(isId)
  return sql`
          select registration.subject_id from pattern
          join registration on registration.pattern_id = pattern.id
          where pattern.id = any(${ids}::uuid[]) and pattern.unit_id = ${unitId}
          and registration.state = 'registered' and registration.subject_id is not null`
}

/** The queries of the dynamic groups that an audience of this unit names, by id. Reads only if it names groups. */
export async function findGroupQueries(
  db: Db | Trx,
  unitId: string,
  audience: Audience,
): Promise<Map<string, QueryAudience>> {
  const ids = distinctIds(groupsIn(audience))
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('subject_group')
    .select(['id', 'query'])
    .where('unit_id', '=', unitId)
    .where('id', '=', anyOf(ids))
    .where('query', 'is not', null)
    .execute()
  return new Map(rows.map(({ id, query }) => [id, query!]))
}

/** The groups that an audience names, as written. */
export function groupsIn(audience: Audience): string[] {
  return dimensionsIn(audience).flatMap(({ groups = [] }) => groups)
}
