import { sql } from 'kysely'
import type { HandoffEnd, HandoffState, Locale, TurnState } from '../../../contract/enums.ts'
import type { NodeMessages } from '../../../domain/scenario/deliverable-channels.ts'
import type { Db } from '../../connect.ts'
import { type RowPage, unplanned } from '../../rows.ts'
import { actorName } from '../identity/person.ts'

/** What a unit reads about its handoffs. */

export type HandoffRow = {
  id: string
  unitId: string
  scenarioId: string | null
  runId: string | null
  node: string | null
  conversationId: string | null
  subjectId: string | null
  uid: string | null
  test: boolean
  openedAt: Date
  lastMessageAt: Date
  closedAt: Date | null
  closedBy: string | null
  closedByName: string | null
  reason: HandoffEnd | null
}

const columns = sql`handoff.id, handoff.unit_id as "unitId", run.scenario_id as "scenarioId", handoff.run_id as "runId",
  handoff.node, handoff.conversation_id as "conversationId", handoff.subject_id as "subjectId", subject.uid, handoff.test,
  handoff.opened_at as "openedAt", handoff.spoken_at as "lastMessageAt", handoff.closed_at as "closedAt",
  handoff.closed_by as "closedBy", ${actorName(sql.ref('handoff.closed_by'))} as "closedByName",
  handoff.end_reason as "reason"`

const joins = sql`left join scenario_run as run on run.id = handoff.run_id
  left join subject on subject.id = handoff.subject_id`

/** Handoffs of a unit in these states (undefined: all), newest first. */
export async function listHandoffs(
  db: Db,
  { unitId, states }: { unitId: string; states: HandoffState[] | undefined },
  { after, limit }: RowPage,
): Promise<HandoffRow[]> {
  const conditions = [
    sql`handoff.unit_id = ${unitId}`,
    ...(after === null ? [] : [sql`handoff.id < ${after}`]),
    ...(states === undefined || states.includes('open') ? [] : [sql`handoff.closed_at is not null`]),
    ...(states === undefined || states.includes('closed') ? [] : [sql`handoff.closed_at is null`]),
  ]
  const { rows } = await sql<HandoffRow>`
    select ${columns} from handoff ${joins}
    where ${sql.join(conditions, sql` and `)} order by handoff.id desc limit ${unplanned(limit)}`.execute(db)
  return rows
}

/** Who talks in a handoff. */
type HandoffPersonRow = {
  displayName: string | null
  locale: Locale
  classIds: string[]
  orgUnits: string[]
}

/** The person of a handoff; undefined: there is none. */
export async function findHandoffPerson(db: Db, subjectId: string): Promise<HandoffPersonRow | undefined> {
  return db
    .selectFrom('subject')
    .select(['display_name as displayName', 'locale', 'class_ids as classIds', 'org_units as orgUnits'])
    .where('id', '=', subjectId)
    .executeTakeFirst()
}

export async function findHandoff(db: Db, id: string, unitIds: string[]): Promise<HandoffRow | undefined> {
  const { rows } = await sql<HandoffRow>`
    select ${columns} from handoff ${joins}
    where handoff.id = ${id} and handoff.unit_id = any(${unitIds}::uuid[])`.execute(db)
  return rows[0]
}

/** What one side said: `text` the person, the other columns the unit. */
export type HandoffMessageRow = {
  id: string
  at: Date
  text: string | null
  turnId: string | null
  says: NodeMessages[] | null
  actor: string | null
  actorName: string | null
  state: TurnState | null
  reason: string | null
  /** How much was said altogether. */
  total: number
}

/** What was said in a handoff, newest first: at most so many messages, of so many characters together, and one at least. */
export async function listHandoffMessages(
  db: Db,
  handoffId: string,
  most: { messages: number; characters: number },
): Promise<HandoffMessageRow[]> {
  const { rows } = await sql<HandoffMessageRow>`
    select id, at, text, turn_id as "turnId", says, actor, ${actorName(sql.ref('newest.actor'))} as "actorName", state, reason,
      (select count(*) from handoff_message where handoff_id = ${handoffId})::integer as total
    from (
      select message.*, turn.says, turn.state, turn.reason, row_number() over newer as ordinal,
        sum(length(coalesce(message.text, turn.says::text, ''))) over newer as characters
      from (
        select * from handoff_message where handoff_id = ${handoffId} order by id desc limit ${unplanned(most.messages)}
      ) as message left join turn on turn.id = message.turn_id
      window newer as (order by message.id desc)
    ) as newest
    where ordinal = 1 or characters <= ${most.characters}
    order by id desc`.execute(db)
  return rows
}

export type HandoffOfRun = { id: string; node: string; openedAt: Date; closedAt: Date | null }

/** Handoffs that the nodes of a run have opened, in order. */
export async function listHandoffsOfRun(db: Db, runId: string): Promise<HandoffOfRun[]> {
  return db
    .selectFrom('handoff')
    .select(['id', 'opened_at as openedAt', 'closed_at as closedAt'])
    .select((of) => of.ref('node').$notNull().as('node'))
    .where('run_id', '=', runId)
    .orderBy('id')
    .execute()
}
