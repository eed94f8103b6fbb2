import { sql } from 'kysely'
import type { Locale } from '../../../contract/enums.ts'
import type { ChatSender } from '../../../domain/content/sending-unit.ts'
import type { Db, Trx } from '../../connect.ts'

/** The scenario that a trigger starts: `follow`, `otherwise`, or `keyword:` and a normalised text. */
export async function findTriggered(db: Db, trigger: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('scenario_trigger')
    .select('scenario_id')
    .where('trigger', '=', trigger)
    .executeTakeFirst()
  return row?.scenario_id
}

/** Whether a webhook event has started a run. */
export async function hasStarted(db: Db, webhookEventId: string): Promise<boolean> {
  const query = db.selectFrom('scenario_run').select('id').where('started_by_webhook', '=', webhookEventId)
  return (await query.executeTakeFirst()) !== undefined
}

/** When a person began a scenario themself last, and whether that conversation goes on; undefined if they never did. */
export async function findOwnStart(
  db: Db | Trx,
  { scenarioId, subjectId }: { scenarioId: string; subjectId: string },
): Promise<OwnStart | undefined> {
  const { rows } = await sql<OwnStart>`
    select created_at as at, (extract(epoch from clock_timestamp() - created_at))::float8 as seconds,
      closed_at is null as open
    from scenario_run
    where subject_id = ${subjectId} and scenario_id = ${scenarioId} and started_by like 'recipient:%'
    order by created_at desc limit 1`.execute(db)
  return rows[0]
}

/** `seconds`: since then. */
type OwnStart = { at: Date; seconds: number; open: boolean }

/** Whether a run of a person is on its way, and will say something or end. */
export async function isBusy(db: Db | Trx, subjectId: string): Promise<boolean> {
  const { rows } = await sql`
    select from scenario_run as run
    where subject_id = ${subjectId} and closed_at is null
      and (state = 'running' or exists (select from turn where run_id = run.id and state = 'pending'))
    limit 1`.execute(db)
  return rows.length > 0
}

/** A person who is answered, and how the unit of a scenario appears to them. */
export async function findReader(
  db: Db,
  { scenarioId, subjectId }: { scenarioId: string; subjectId: string },
): Promise<{ locale: Locale; sender: ChatSender | null } | undefined> {
  const { rows } = await sql<{ locale: Locale; sender: ChatSender | null }>`
    select subject.locale, unit.sender from subject, scenario join unit on unit.id = scenario.unit_id
    where subject.id = ${subjectId} and scenario.id = ${scenarioId}`.execute(db)
  return rows[0]
}

export async function uidOf(db: Db, subjectId: string): Promise<string | undefined> {
  const row = await db.selectFrom('subject').select('uid').where('id', '=', subjectId).executeTakeFirst()
  return row?.uid
}
