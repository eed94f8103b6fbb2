import { sql } from 'kysely'
import type { ScenarioContent } from '../../../../src/contract/scenarios/content.ts'
import type { Api } from '../../../fixtures/api.ts'
import { option } from '../../../fixtures/conversations.ts'
import { registering } from '../../../fixtures/patterns.ts'
import { longText } from './long-text.ts'
import { idOf, inForce, many, most, type Planting } from './plant.ts'

type Person = { subjectId: string; address: string }

/**
 * Very many scenarios, of which one has the largest graph, many versions and a run with everybody; very many runs of one
 * person, very many handoffs, one of them long, and a pattern in which everybody takes part.
 */
export async function plantConversations(trx: Planting, api: Api, person: Person) {
  const unit = api.units.a
  const waiting = await plantScenarios(trx, unit)
  const scenarioId = await plantLargest(trx, unit)
  const runs = await plantRuns(trx, unit, scenarioId, person)
  const handoffs = await plantHandoffs(trx, unit, person)
  return { ...waiting, scenarioId, ...runs, ...handoffs, ...(await plantPattern(trx, unit)) }
}

/** As many nodes as a scenario may have, and texts as long as they may be together. */
export function largestGraph(): ScenarioContent {
  const says = Array.from({ length: 197 }, (_, n) => `say-${n}`)
  const text = { 'zh-TW': longText(460) }
  return {
    nodes: [
      {
        ...{ id: 'ask', kind: 'question', timeoutSeconds: 3_600 },
        message: {
          kind: 'buttons',
          text: { 'zh-TW': '要嗎？' },
          actions: [option('yes', '要'), option('no', '不要')],
        },
      },
      ...says.map((id) => ({ id, kind: 'message' as const, messages: [{ kind: 'text' as const, text }] })),
      { id: 'desk', kind: 'handoff', timeoutSeconds: 3_600 },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'ask', to: 'say-0', when: { kind: 'option', optionId: 'yes' } },
      { from: 'ask', to: 'say-100', when: { kind: 'option', optionId: 'no' } },
      { from: 'ask', to: 'end', when: { kind: 'timeout' } },
      ...says.map((from, n) => ({ from, to: says[n + 1] ?? 'desk' })),
      { from: 'desk', to: 'end' },
      { from: 'desk', to: 'end', when: { kind: 'timeout' as const } },
    ],
  }
}

const ended: ScenarioContent = { nodes: [{ id: 'end', kind: 'end' }], edges: [] }
const noJumps = JSON.stringify({ turns: 0, jumps: [] })

async function plantScenarios(trx: Planting, unit: string) {
  await sql`
    with scenario as (
      insert into scenario (unit_id, state, created_by) select ${unit}, 'draft', 'key:planted'
      from generate_series(1, ${most('scenarios')}::int) returning id)
    insert into scenario_version (scenario_id, version, state, name, category_id, content, jumps, created_by, authors, submitted_at)
    select id, 1, 'submitted', 'Scenario', 'manual', ${JSON.stringify(ended)}, ${noJumps}, 'key:planted', '{key:planted}', now()
    from scenario`.execute(trx)
  await sql`
    insert into scenario_trigger (trigger, scenario_id) select 'keyword:' || id, id from scenario`.execute(
    trx,
  )
  const { rows } = await sql<{ id: string }>`select id from scenario limit 2`.execute(trx)
  return { waitingScenarioId: rows[0]!.id, otherWaitingScenarioId: rows[1]!.id }
}

/** Of its versions the newest waits, and fifty are as long as they may be: more are only more of the same. */
async function plantLargest(trx: Planting, unit: string): Promise<string> {
  const scenarioId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into scenario (unit_id, state, created_by) values (${unit}, 'active', 'key:planted') returning id`,
  )
  const content = JSON.stringify(largestGraph())
  const versions = most('scenarioVersions')
  await sql`
    insert into scenario_version (scenario_id, version, state, name, category_id, content, jumps, created_by, authors, submitted_at)
    select ${scenarioId}, n, case n when ${versions}::int then 'submitted' when ${versions}::int - 1 then 'in_force' else 'replaced' end, 'The largest',
      'manual', case when n > ${versions}::int - 50 then ${content}::jsonb else ${JSON.stringify(ended)}::jsonb end,
      ${noJumps}, 'key:planted', '{key:planted}', now()
    from generate_series(1, ${versions}::int) n`.execute(trx)
  await sql`
    insert into scenario_start (scenario_id, actor, idempotency_key, body_hash, answer, variables)
    select ${scenarioId}, 'key:planted', n::text, '\\x00', '{}', '{}' from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  return scenarioId
}

async function plantRuns(trx: Planting, unit: string, scenarioId: string, { subjectId }: Person) {
  const columns = sql`(scenario_id, version_number, unit_id, subject_id, started_by, node, state, deadline, closed_at,
    observed_version, next_wakeup_at, occasion)`
  // Those of everybody wait for an answer; those of one person are over, but for the last.
  await sql`
    insert into scenario_run ${columns}
    select ${scenarioId}, ${inForce}::int, ${unit}, id, 'key:planted', 'ask', 'waiting', now() + interval '1 day', null, 1,
      now() + interval '1 day', ''
    from subject where uid like 'person-%'`.execute(trx)
  await sql`
    insert into scenario_run ${columns}
    select ${scenarioId}, ${inForce}::int, ${unit}, ${subjectId}, 'key:planted', 'end', 'done', null, now(), 1, null, n::text
    from generate_series(1, ${many}::int) n`.execute(trx)
  const runId = await idOf(
    trx,
    sql<{ id: string }>`select id from scenario_run where subject_id = ${subjectId} and closed_at is null`,
  )
  await sql`
    insert into scenario_step (run_id, node) select id, 'ask' from scenario_run`.execute(trx)
  await sql`
    insert into scenario_step (run_id, node, left_at, edge, to_node)
    select ${runId}, 'say-' || n, now(), 'plain', 'say-' || n + 1 from generate_series(0, 196) n`.execute(trx)
  await sql`
    insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, state, answers_person, locale, channel,
      closed_at, content)
    select id, 1, 'ask', 'ask', subject_id, ${unit}, 'sent', false, 'zh-TW', 'chat', now(), '[]' from scenario_run`.execute(
    trx,
  )
  await sql`
    insert into scenario_answer (run_id, node, option_id)
    select id, 'ask', 'yes' from scenario_run where closed_at is not null`.execute(trx)
  await sql`
    insert into scenario_count (scenario_id, version, node, edge, count)
    select ${scenarioId}, ${inForce}::int, 'say-' || n, 'plain', 1 from generate_series(0, 196) n`.execute(
    trx,
  )
  await sql`
    insert into lookup (run_id, node, origin, outcome, ended_at)
    select id, 'look', 'https://lookup-1.example.edu', 'found', now() from scenario_run`.execute(trx)
  const otherRunId = await idOf(
    trx,
    sql<{ id: string }>`select id from scenario_run where subject_id <> ${subjectId} limit 1`,
  )
  return { runId, otherRunId }
}

/** Very many open handoffs with strangers, and one in which very much was said. */
async function plantHandoffs(trx: Planting, unit: string, { subjectId, address }: Person) {
  await sql`
    insert into handoff (unit_id, conversation_id, channel_user, spoken_at)
    select ${unit}, 'conversation-' || n, 'U' || md5('stranger-' || n), now() from generate_series(1, ${many}::int) n`.execute(
    trx,
  )
  await sql`
    insert into handoff_message (handoff_id, text, webhook_event_id)
    select id, '您好', uuidv7() from handoff`.execute(trx)
  const handoffId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into handoff (unit_id, subject_id, conversation_id, channel_user)
      values (${unit}, ${subjectId}, 'the longest', ${address}) returning id`,
  )
  await sql`
    insert into handoff_message (handoff_id, text, webhook_event_id)
    select ${handoffId}, case when n > ${many} - 600 then ${longText(5_000)} else '您好' end, uuidv7()
    from generate_series(1, ${many}::int) n`.execute(trx)
  await sql`
    insert into turn (handoff_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says, state, closed_at)
    select ${handoffId}, n, '', '', ${subjectId}, ${unit}, false, 'zh-TW', '[]', 'sent', now()
    from generate_series(1, ${many}::int) n`.execute(trx)
  await sql`
    with editor as (select id from person where email = 'editor@example.org')
    insert into handoff_notice (handoff_id, person_id) select handoff.id, editor.id from handoff, editor`.execute(
    trx,
  )
  return { handoffId }
}

/** A registration for everybody, half of whom wait for a place; everybody has answered its question. */
async function plantPattern(trx: Planting, unit: string) {
  const insertScenario = sql<{ id: string }>`
    insert into scenario (unit_id, state, created_by) values (${unit}, 'active', 'key:planted') returning id`
  const scenarioId = await idOf(trx, insertScenario)
  await sql`
    insert into scenario_version (scenario_id, version, state, name, category_id, content, jumps, created_by, authors)
    values (${scenarioId}, 1, 'in_force', 'Everybody', 'news', ${JSON.stringify(registering)}, ${noJumps}, 'key:planted', '{}')`.execute(
    trx,
  )
  const questions = [
    { id: 'join', text: { 'zh-TW': '要嗎？' }, options: [{ id: 'yes', label: { 'zh-TW': '要' } }] },
  ]
  const columns = sql`(unit_id, scenario_id, type, title, questions, deadline, capacity, waiting_list, created_by)`
  const patternId = await idOf(
    trx,
    sql<{ id: string }>`
      insert into pattern ${columns} values (${unit}, ${scenarioId}, 'registration', '{"zh-TW":"導覽"}',
        ${JSON.stringify(questions)}, now() + interval '30 days', ${many / 2}, true, 'key:planted') returning id`,
  )
  await sql`
    insert into pattern ${columns}
    select ${unit}, id, 'survey', '{"zh-TW":"問卷"}', '[]', now() + interval '30 days', null, false, 'key:planted'
    from scenario where id <> ${scenarioId} limit 1000`.execute(trx)
  await sql`
    insert into registration (pattern_id, place, subject_id, run_id, state)
    select ${patternId}, row_number() over (), subject_id, id,
      case when row_number() over () <= ${many / 2} then 'registered' else 'waitlisted' end
    from scenario_run where closed_at is null`.execute(trx)
  await sql`
    insert into pattern_answer (pattern_id, subject_id, question, option_id)
    select ${patternId}, id, 'join', 'yes' from subject where uid like 'person-%'`.execute(trx)
  await sql`
    insert into pattern_invitation (pattern_id, message_id)
    select ${patternId}, id from message where state = 'sent' limit 1000`.execute(trx)
  return { patternId }
}
