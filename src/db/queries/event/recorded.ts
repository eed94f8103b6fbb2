import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { EventError } from '../../../contract/enums.ts'
import type { SigningSources } from '../../../domain/event/signing-sources.ts'
import type { Db } from '../../connect.ts'
import type { RowPage } from '../../rows.ts'
import type { EventTable } from '../../tables.ts'

/** A recorded event without its content. `subjects`: the number of uids it names. */
export type RecordedEventRow = Omit<
  Selectable<EventTable>,
  'subject_uids' | 'data' | 'unit_id' | 'tries' | 'next_try_at'
> & { subjects: number }

type RecordedEventFilter = {
  unitId: string
  source: string | null
  type: string | null
  error: EventError | null
  eventId: string | null
  messageId: string | null
  signingSources: SigningSources
}

const columns = sql`id, source, event_id, type, occurred_at, received_at, key_id, message_id, runs, error, details,
    cardinality(subject_uids) as subjects`

/**
 * A unit's recorded events, newest first: of each (source, type) that a binding of the unit has named, those that made
 * something in the unit, and, while no other unit has an enabled binding for it, those that made nothing. Reads a page of
 * each pair, by its index, so that the events of other pairs and units cost nothing.
 */
export async function listRecordedEvents(
  db: Db,
  {
    unitId,
    source,
    type,
    error,
    eventId,
    messageId,
    signingSources,
    after,
    limit,
  }: RecordedEventFilter & RowPage,
): Promise<RecordedEventRow[]> {
  const paged = sql`(${after}::uuid is null or id < ${after}) and ${isOfItsSource(signingSources)}
      and (${error}::text is null or error = ${error})
      and (${eventId}::text is null or event_id = ${eventId}) and (${messageId}::text is null or message_id::text = lower(${messageId}::text))
      order by id desc limit ${limit}`
  const { rows } = await sql<RecordedEventRow>`
    with named as (
      select v.source, v.type, bool_or(${isOpenTo(sql.ref('b.unit_id'))}) as open
      from event_binding as b join event_binding_version as v on v.binding_id = b.id
      where b.unit_id = ${unitId} and (${source}::text is null or v.source = ${source})
        and (${type}::text is null or v.type = ${type})
      group by v.source, v.type
    )
    select page.* from named, lateral (
      (select ${columns} from event
        where unit_id = ${unitId} and source = named.source and type = named.type and ${paged})
      union all
      (select ${columns} from event
        where named.open and event.unit_id is null and source = named.source and type = named.type and ${paged})
    ) as page
    order by id desc limit ${limit}
  `.execute(db)
  return rows
}

/** A recorded event that one of these units may see, by the rules of the list, and that unit. */
export async function findRecordedEvent(
  db: Db,
  id: string,
  unitIds: string[],
  signingSources: SigningSources,
): Promise<(RecordedEventRow & { unitId: string }) | undefined> {
  const { rows } = await sql<RecordedEventRow & { unitId: string }>`
    select ${columns}, seen_by as "unitId" from event, lateral (
      select unit_id as seen_by where unit_id = any(${unitIds}::uuid[])
      union all
      select b.unit_id from event_binding as b join event_binding_version as v on v.binding_id = b.id
      where event.unit_id is null and b.unit_id = any(${unitIds}::uuid[])
        and v.source = event.source and v.type = event.type and ${isOpenTo(sql.ref('b.unit_id'))}
      limit 1
    ) as seen
    where id = ${id} and ${isOfItsSource(signingSources)}
  `.execute(db)
  return rows[0]
}

/** The version `v` may get events that made nothing: it counts or waits, and no other unit has an enabled binding. */
function isOpenTo(unitId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`v.state in ('in_force', 'submitted') and not exists (
        select from event_binding_version as taken join event_binding as theirs on theirs.id = taken.binding_id
        where taken.source = v.source and taken.type = v.type and taken.state = 'in_force' and taken.enabled
          and theirs.unit_id <> ${unitId})`
}

/** The event's signing key may raise its source; what another recorded does not count as an event of that source. */
function isOfItsSource(signingSources: SigningSources): RawBuilder<boolean> {
  const sources = Object.fromEntries([...signingSources].map(([keyId, names]) => [keyId, [...names]]))
  return sql<boolean>`coalesce((${JSON.stringify(sources)}::jsonb -> key_id) ? source, true)`
}
