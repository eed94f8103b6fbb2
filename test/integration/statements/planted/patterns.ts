import { sql } from 'kysely'
import type { Trx } from '../../../../src/db/connect.ts'
import { registering } from '../../../fixtures/patterns.ts'

/** Who has a place and who waits for one; all others have withdrawn. */
export const places = { registered: 20, waitlisted: 10 }

const noJumps = JSON.stringify({ turns: 0, jumps: [] })

export type PlantedPattern = { scenarioId: string; patternId: string }

/** A pattern in which everybody took part by a run of its scenario, and answered two questions. */
export async function plantPattern(trx: Trx, unitId: string): Promise<PlantedPattern> {
  const scenario = await sql<{ id: string }>`
    insert into scenario (unit_id, state, created_by) values (${unitId}, 'active', 'key:planted') returning id`.execute(
    trx,
  )
  const scenarioId = scenario.rows[0]!.id
  await sql`
    insert into scenario_version (scenario_id, version, state, name, category_id, content, jumps, created_by, authors)
    values (${scenarioId}, 1, 'in_force', 'Registration', 'news', ${JSON.stringify(registering)}, ${noJumps}, 'key:planted', '{}')`.execute(
    trx,
  )
  await sql`
    insert into scenario_run (scenario_id, version_number, unit_id, subject_id, started_by, node, state, observed_version,
      next_wakeup_at, deadline)
    select ${scenarioId}, 1, ${unitId}, id, 'key:planted', 'ask', 'waiting', 1, now() + interval '1 day', now() + interval '1 day'
    from subject where uid like 'person-%' order by id`.execute(trx)
  const pattern = await sql<{ id: string }>`
    insert into pattern (unit_id, scenario_id, type, title, questions, attendance, deadline, capacity, waiting_list, created_by)
    values (${unitId}, ${scenarioId}, 'rsvp', '{"zh-TW":"導覽"}', '[]', 'join', now() + interval '30 days',
      ${places.registered}, true, 'key:planted') returning id`.execute(trx)
  const patternId = pattern.rows[0]!.id
  await sql`
    insert into registration (pattern_id, place, subject_id, run_id, state)
    select ${patternId}, nth, subject_id, id, case when nth <= ${places.registered}::int then 'registered'
      when nth <= ${places.registered + places.waitlisted}::int then 'waitlisted' else 'withdrawn' end
    from (select id, subject_id, row_number() over (order by id) as nth from scenario_run where scenario_id = ${scenarioId}) as run`.execute(
    trx,
  )
  await sql`
    insert into pattern_answer (pattern_id, subject_id, question, option_id)
    select ${patternId}, id, question, 'no' from subject, unnest(array['join', 'meal']) as question
    where uid like 'person-%' order by id`.execute(trx)
  return { scenarioId, patternId }
}
