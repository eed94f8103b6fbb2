import { type RawBuilder, sql } from 'kysely'
import { ServiceError } from '../../../contract/errors.ts'
import type {
  Audience,
  AudienceDimensions,
  ExcludedPeople,
  HistoryEntry,
  QueryAudience,
} from '../../../domain/audience.ts'
import { isId } from '../../../domain/id.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'

/**
 * What an audience is read by: whose groups and messages it may name, and what the dynamic groups among them stand
 * for.
 */
export type AudienceScope = { unitId: string; groupQueries?: ReadonlyMap<string, QueryAudience> }

/**
 * Whether the row `subject` is of the people an audience names. Dimensions AND together, values inside one OR,
 * `exclude` removes (docs/decisions/0030-drafts.md); a dimension without values names nobody. Groups and messages of
 * other units have no members, recipients or answers here.
 * @throws ServiceError validation_error for what no query can answer: no dimension at all
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

/** What is asked of the person besides the lists stands inside them: so the whole is one anti-join. */
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

/** The dimensions that other tables know: queries of `subject_id`, in which somebody may stand several times. */
function lists({ groups, history }: AudienceDimensions, scope: AudienceScope): RawBuilder<unknown>[] {
  return [
    ...(groups ? [inGroups(groups, scope)] : []),
    ...(history ? [withHistory(history, scope.unitId)] : []),
  ]
}

/** Members of static groups, and whoever the queries of dynamic ones name. */
function inGroups(groups: string[], { unitId, groupQueries }: AudienceScope): RawBuilder<unknown> {
  const ids = groups.filter(isId).map((id) => id.toLowerCase())
  const queries = ids.map((id) => groupQueries?.get(id)).filter((query) => query !== undefined)
  const dynamic = queries.map(
    (query) => sql`
          union select subject.id from subject where ${matchesAudience(query, { unitId })}`,
  )
  return sql`
          select member.subject_id from subject_group
          join group_member as member on member.group_id = subject_group.id
          where subject_group.id = any(${ids}::uuid[]) and subject_group.unit_id = ${unitId}${sql.join(dynamic, sql``)}`
}

/**
 * Whether the row `subject` is in all of these lists: they are cut with one another, not with each person, so that the
 * whole is one semi-join.
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
    throw new ServiceError('validation_error', `${path}: name at least one dimension.`)
}

/** Conditions that must all hold. */
export function allOf(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql`\n          and `)}`
}

type Of<Kind extends HistoryEntry['kind']> = Extract<HistoryEntry, { kind: Kind }>

/** To whom one of these happened, as a query of `subject_id`: each kind is one look for all of its entries. */
export function withHistory(entries: HistoryEntry[], unitId: string): RawBuilder<unknown> {
  const of = <Kind extends HistoryEntry['kind']>(kind: Kind) =>
    entries.filter((entry): entry is Of<Kind> => entry.kind === kind)
  const [receipts, answers, registrations] = [of('received'), of('answered'), of('registered')]
  const looks = [
    ...(receipts.length > 0 ? [received(receipts, unitId)] : []),
    ...(answers.length > 0 ? [answered(answers, unitId)] : []),
    ...(registrations.length > 0 ? [registered] : []),
  ]
  return sql.join(
    looks,
    sql`
          union`,
  )
}

/** It was sent to them, or may have been. */
function received(entries: Of<'received'>[], unitId: string): RawBuilder<unknown> {
  const ids = entries.map(({ messageId }) => messageId).filter(isId)
  return sql`
          select delivery.subject_id from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where message.id = any(${ids}::uuid[]) and message.unit_id = ${unitId}
          and delivery.state in ('sent', 'unknown')`
}

/** They pressed something in it; with an option id, something of this name. */
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

/** There is nothing yet that anybody could have registered for. */
const registered = sql`
          select null::uuid as subject_id where false`

/** What the dynamic groups stand for that an audience of this unit names, by id. Asks only where it names groups. */
export async function findGroupQueries(
  db: Db | Trx,
  unitId: string,
  audience: Audience,
): Promise<Map<string, QueryAudience>> {
  const ids = groupsIn(audience).filter(isId)
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

function groupsIn(audience: Audience): string[] {
  if (audience.kind === 'individual') return []
  const own = audience.kind === 'query' ? (audience.groups ?? []) : []
  return [...own, ...(audience.exclude?.groups ?? [])]
}
