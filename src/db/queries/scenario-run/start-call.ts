import { sql } from 'kysely'
import type { Exclusion, ScenarioState } from '../../../contract/enums.ts'
import { anyOf } from '../../any-of.ts'
import type { Db, Trx } from '../../connect.ts'
import { inUnits } from '../../rows.ts'

export async function findScenarioOfUnits(
  db: Db,
  id: string,
  unitIds: string[],
): Promise<{ id: string; unitId: string; state: ScenarioState } | undefined> {
  const query = db.selectFrom('scenario as s').select(['s.id', 's.unit_id as unitId', 's.state'])
  return inUnits(query, 's', id, unitIds).executeTakeFirst()
}

/** A call that starts runs, with the variables of all of them. */
type NewStart = {
  scenarioId: string
  actor: string
  idempotencyKey: string | null
  bodyHash: Buffer | null
  variables: Record<string, unknown>
}

/** Inserts a call. Undefined, and nothing is written, if the scenario has one with this key. */
export async function insertStart(trx: Trx, start: NewStart): Promise<string | undefined> {
  const { scenarioId, actor, idempotencyKey, bodyHash, variables } = start
  const row = await trx
    .insertInto('scenario_start')
    .values({
      scenario_id: scenarioId,
      actor,
      idempotency_key: idempotencyKey,
      body_hash: bodyHash,
      variables: JSON.stringify(variables),
    })
    .onConflict((conflict) => conflict.columns(['scenario_id', 'idempotency_key']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** What a call answered, without the uids: those are read from the runs. `items` null: it named an audience. */
export type StartAnswer = {
  items: { id: string; created: boolean }[] | null
  started: number
  unknownUids: number
  alreadyRunning: number
  excluded: Record<Exclusion, number>
  frequency?: number
}

/** Keeps the answer of a call for its repeats. */
export async function keepStartAnswer(trx: Trx, id: string, answer: StartAnswer): Promise<void> {
  await trx
    .updateTable('scenario_start')
    .set({ answer: JSON.stringify(answer) })
    .where('id', '=', id)
    .execute()
}

/** The call of a scenario with this key. */
export async function findStart(
  db: Db,
  { scenarioId, idempotencyKey }: { scenarioId: string; idempotencyKey: string },
): Promise<{ id: string; bodyHash: Buffer | null; answer: StartAnswer } | undefined> {
  const { rows } = await sql<{ id: string; bodyHash: Buffer | null; answer: StartAnswer }>`
    select id, body_hash as "bodyHash", answer from scenario_start
    where scenario_id = ${scenarioId} and idempotency_key = ${idempotencyKey} and answer is not null`.execute(
    db,
  )
  return rows[0]
}

/** The uids of the people of these runs, by run; erased people are left out. */
export async function findUidsOfRuns(db: Db, runIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('scenario_run as run')
    .innerJoin('subject', 'subject.id', 'run.subject_id')
    .select(['run.id', 'subject.uid'])
    .where('run.id', '=', anyOf(runIds))
    .execute()
  return new Map(rows.map(({ id, uid }) => [id, uid]))
}
