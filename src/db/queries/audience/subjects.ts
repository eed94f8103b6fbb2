import { type RawBuilder, sql } from 'kysely'
import { ServiceError } from '../../../contract/errors.ts'
import type {
  Audience,
  AudienceDimensions,
  ExcludedPeople,
  HistoryEntry,
  QueryAudience,
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
 * @throws ServiceError validation_error if a query has no dimension
 */
export function matchesAudience(audience: Audience, scope: AudienceScope): RawBuilder<boolean> {
  if (audience.kind === 'individual') return sql`subject.uid = any(${audience.uids}::text[])`
  const { kind, exclude, ...query } = audience
  const named = kind === 'all' ? [] : conditions(query, scope)
  const removed = exclude ? [isRemoved(exclude, scope)] : []
  return named.length + removed.length === 0 ? sql`true` : allOf([...named, ...removed])
}

function conditions(query: AudienceDimensions, scope: AudienceScope): RawBuilder<boolean>[] {
  assertAnswerable(query, 'audience')
  return [...properties(query), ...lists(query, scope).map((list) => isIn([list]))]
}

/** Conditions on the person go inside the subquery of the lists, so that the whole is one anti-join. */
function isRemoved({ kind, ...exclude }: ExcludedPeople, scope: AudienceScope): RawBuilder<boolean> {
  assertAnswerable(exclude, 'audience.exclude')
  const of = lists(exclude, scope)
  if (of.length === 0) return sql`not (${allOf(properties(exclude))})`
  return sql`not ${isIn(of, properties(exclude))}`
}

function properties({ roles, stages, orgUnits, classIds, tags }: AudienceDimensions): RawBuilder<boolean>[] {
  const asked = [
    roles && sql<boolean>`subject.roles && ${roles}::text[]`,
    stages && sql<boolean>`subject.stage = any(${stages}::text[])`,
    orgUnits && sql<boolean>`subject.org_units && ${orgUnits}::text[]`,
    classIds && sql<boolean>`subject.class_ids && ${classIds}::text[]`,
    tags && sql<boolean>`subject.tags && ${tags}::text[]`,
  ]
  return asked.filter((condition) => condition !== undefined)
}

/** The dimensions that are stored in other tables: queries of `subject_id`, which may repeat a subject. */
function lists({ groups, history }: AudienceDimensions, scope: AudienceScope): RawBuilder<unknown>[] {
  return [
    ...(groups ? [inGroups(groups, scope)] : []),
    ...(history ? [withHistory(history, scope.unitId)] : []),
  ]
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
function isIn(of: RawBuilder<unknown>[], also: RawBuilder<boolean>[] = []): RawBuilder<boolean> {
  const list = sql.join(of.length > 1 ? of.map((one) => sql`(${one})`) : of, sql` intersect `)
  return sql`exists (
          select from (${list}) as list
          where ${allOf([sql`list.subject_id = subject.id`, ...also])}
        )`
}

function assertAnswerable(dimensions: AudienceDimensions, path: string): void {
  if (Object.values(dimensions).every((values) => values === undefined))
    throw new ServiceError('validation_error', `${path}: name at least one dimension.`, {
      issues: [{ path, message: 'must use at least one dimension' }],
    })
}

/** Conditions that must all hold. */
function allOf(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql`\n          and `)}`
}

type Of<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>

/** Subjects with at least one of these entries, as a query of `subject_id`: one subquery per kind. */
function withHistory(entries: HistoryEntry[], unitId: string): RawBuilder<unknown> {
  const of = <Kind extends HistoryEntry['kind']>(kind: Kind) =>
    entries.filter((entry): entry is Of<Kind> => entry.kind === kind)
  const [receipts, answers, registrations] = [of('received'), of('answered'), of('registered')]
  const lookups = [
    ...(receipts.length > 0 ? [received(receipts, unitId)] : []),
    ...(answers.length > 0 ? [answered(answers, unitId)] : []),
    ...(registrations.length > 0 ? [registered(registrations, unitId)] : []),
  ]
  return sql.join(
    lookups,
    sql`
          union`,
  )
}

/** Subjects to whom the message was, or may have been, sent. */
function received(entries: Of<'received'>[], unitId: string): RawBuilder<unknown> {
  const ids = entries.map(({ messageId }) => messageId).filter(isId)
  return sql`
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any(${ids}::uuid[]) and message.unit_id = ${unitId}
          and delivery.state in ('sent', 'unknown')`
}

/** Subjects who pressed an option of the message; with an option id, that option. */
function answered(entries: Of<'answered'>[], unitId: string): RawBuilder<unknown> {
  const asked = entries.filter(({ messageId }) => isId(messageId))
  const ids = asked.map(({ messageId }) => messageId)
  const options = asked.map(({ optionId }) => optionId ?? null)
  return sql`
          select answer.subject_id
          from unnest(${ids}::uuid[], ${options}::text[]) as asked (message_id, option_id)
          join message on message.id = asked.message_id and message.unit_id = ${unitId}
          join message_answer as answer on answer.message_id = message.id
          and (asked.option_id is null or answer.option_id = asked.option_id)`
}

/** Subjects who have a place in the pattern. */
function registered(entries: Of<'registered'>[], unitId: string): RawBuilder<unknown> {
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
  if (audience.kind === 'individual') return []
  const own = audience.kind === 'query' ? (audience.groups ?? []) : []
  return [...own, ...(audience.exclude?.groups ?? [])]
}
