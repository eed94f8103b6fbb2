import { type RawBuilder, sql } from 'kysely'
import { ServiceError } from '../../../contract/errors.ts'
import type { Audience, AudienceDimensions } from '../../../domain/audience.ts'

/**
 * Whether the row `subject` is of the people an audience names. Dimensions AND together, values inside one OR, `exclude`
 * removes (design 3, Audience); a dimension without values names nobody.
 * @throws ServiceError validation_error for what no query can answer: no dimension at all, groups, and of history
 *   registered and answered
 */
export function isNamed(audience: Audience): RawBuilder<boolean> {
  if (audience.kind === 'individual') return sql`subject.uid = any(${audience.uids}::text[])`
  const { kind, exclude, ...query } = audience
  const named = kind === 'all' ? [] : conditions(query, 'audience')
  const removed = exclude ? [sql<boolean>`not (${all(conditions(exclude, 'audience.exclude'))})`] : []
  return all([...named, ...removed])
}

function all(conditions: RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql`true` : sql`${sql.join(conditions, sql` and `)}`
}

function conditions(query: AudienceDimensions, path: string): RawBuilder<boolean>[] {
  const { roles, stages, orgUnits, classIds, tags, history, groups } = query
  if (groups) throw unanswerable(`${path}.groups`)
  const found = [
    roles && sql<boolean>`subject.roles && ${roles}::text[]`,
    stages && sql<boolean>`subject.stage = any(${stages}::text[])`,
    orgUnits && sql<boolean>`subject.org_units && ${orgUnits}::text[]`,
    classIds && sql<boolean>`subject.class_ids && ${classIds}::text[]`,
    tags && sql<boolean>`subject.tags && ${tags}::text[]`,
    history && received(history, `${path}.history`),
  ].filter((condition) => condition !== undefined)
  if (found.length === 0) throw new ServiceError('validation_error', `${path}: name at least one dimension.`)
  return found
}

/** One look at the deliveries for all entries of a history, so that it can be joined instead of asked per person. */
function received(history: NonNullable<AudienceDimensions['history']>, path: string): RawBuilder<boolean> {
  const messageIds = history.map((entry) => {
    if (entry.kind !== 'received') throw unanswerable(`${path}.${entry.kind}`)
    return entry.messageId
  })
  return sql`exists (
    select from wave join delivery on delivery.wave_id = wave.id
    where wave.message_id = any(${messageIds}::uuid[]) and delivery.subject_id = subject.id
      and delivery.state in ('sent', 'unknown')
  )`
}

function unanswerable(path: string): ServiceError {
  return new ServiceError('validation_error', `${path} is not available yet. Name the people in another way.`)
}
