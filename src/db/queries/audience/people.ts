import { type RawBuilder, sql } from 'kysely'
import { ServiceError } from '../../../contract/errors.ts'
import type { Audience, AudienceDimensions, ExcludedPeople } from '../../../domain/audience.ts'

/**
 * Whether the row `subject` is of the people an audience names. Dimensions AND together, values inside one OR,
 * `exclude` removes (design 3, Audience); a dimension without values names nobody, and nobody has received what
 * is no message of this unit.
 * @throws ServiceError validation_error for what no query can answer: no dimension at all, groups, and of
 *   history registered and answered
 */
export function isNamed(audience: Audience, unitId: string): RawBuilder<boolean> {
  if (audience.kind === 'individual') return sql`subject.uid = any(${audience.uids}::text[])`
  const { kind, exclude, ...query } = audience
  const named = kind === 'all' ? [] : conditions(query, unitId)
  const removed = exclude ? [isRemoved(exclude, unitId)] : []
  return named.length + removed.length === 0 ? sql`true` : all([...named, ...removed])
}

function conditions(query: AudienceDimensions, unitId: string): RawBuilder<boolean>[] {
  assertAnswerable(query, 'audience')
  return [...properties(query), ...(query.history ? [hasReceived(query.history, unitId)] : [])]
}

/** What is asked of the person besides the history stands inside it: so the whole is one anti-join. */
function isRemoved({ kind, ...exclude }: ExcludedPeople, unitId: string): RawBuilder<boolean> {
  assertAnswerable(exclude, 'audience.exclude')
  const { history } = exclude
  if (!history) return sql`not (${all(properties(exclude))})`
  return sql`not ${hasReceived(history, unitId, properties(exclude))}`
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

/** One look at the deliveries for all entries, so that it can be joined instead of asked once per person. */
function hasReceived(
  history: NonNullable<AudienceDimensions['history']>,
  unitId: string,
  also: RawBuilder<boolean>[] = [],
): RawBuilder<boolean> {
  const named = history.flatMap((entry) => (entry.kind === 'received' ? [entry.messageId] : []))
  const messageIds = named.filter((id) => uuid.test(id))
  return sql`exists (
          select from message
          join wave on wave.message_id = message.id
          join delivery on delivery.wave_id = wave.id
          where ${all([
            sql`message.id = any(${messageIds}::uuid[])`,
            sql`message.unit_id = ${unitId}`,
            sql`delivery.subject_id = subject.id`,
            sql`delivery.state in ('sent', 'unknown')`,
            ...also,
          ])}
        )`
}

/** A producer may write any text; what is no id names nothing, and must not reach a column of ids. */
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return sql`${sql.join(conditions, sql`\n          and `)}`
}

function assertAnswerable({ groups, history, ...properties }: AudienceDimensions, path: string): void {
  const notYet = history?.find(({ kind }) => kind !== 'received')
  if (groups) throw unanswerable(`${path}.groups`)
  if (notYet) throw unanswerable(`${path}.history.${notYet.kind}`)
  if (!history && Object.values(properties).every((values) => values === undefined))
    throw new ServiceError('validation_error', `${path}: name at least one dimension.`)
}

function unanswerable(path: string): ServiceError {
  return new ServiceError('validation_error', `${path} is not available yet. Name the people in another way.`)
}
