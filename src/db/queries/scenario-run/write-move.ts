import { sql } from 'kysely'
import type { RunFacts, RunMove } from '../../../domain/scenario/advance.ts'
import type { Step } from '../../../domain/scenario/walk.ts'
import type { Db, Trx } from '../../connect.ts'
import { milliseconds } from '../../interval.ts'
import { runEndsInto } from '../callback/runs.ts'
import type { ObservedRun } from './observe-run.ts'

/** When a run acts next by itself: at `at` (ms since the epoch), or `inMs` from now; null: when something happens. */
export type NextWakeup = { at: number } | { inMs: number } | null

/**
 * Writes how a run moves: its row, its path and what it says next, in one statement that takes effect only if the row is
 * still the one that was observed; returns false if it is not. The run has then observed its new version.
 */
export async function writeMove(
  db: Db | Trx,
  { run, facts, version }: ObservedRun,
  move: RunMove,
  next: NextWakeup,
): Promise<boolean> {
  const { steps, node, state, deadline, values, turn, reason } = move
  const closes = state !== 'running' && state !== 'waiting'
  const passed = steps.map((step) => {
    const { node, to, error } = step
    return { node, edge: edgeOf(step), to, reason: error?.reason ?? null }
  })
  const path = passed.some((one) => one.node === node)
    ? passed
    : [...passed, { node, edge: null, to: null, reason: null }]
  const { rows } = await sql<{ moved: boolean }>`
    with moved as (
      update scenario_run set state = ${state}, node = ${node}, reason = ${reason},
        deadline = ${deadline === null ? null : new Date(deadline)},
        variables = ${JSON.stringify(values.variables)}, answers = ${JSON.stringify(values.answers)},
        lookup_error = ${values.lookupError},
        entered_at = case when node = ${node} then entered_at else clock_timestamp() end,
        closed_at = case when ${closes} then clock_timestamp() end,
        version = version + 1, observed_version = version + 1, changed_at = clock_timestamp(),
        next_wakeup_at = ${wakeupAt(next)}, woken_at = null, wake_count = 0, wedged_at = null, wedged_failures = 0,
        step_failures = 0, step_parked_at = null, problem = null, queued_at = null
      where id = ${run.id} and version = ${version} and closed_at is null
      returning id, unit_id, test, state, reason
    ),
    passed as (
      insert into scenario_step (run_id, node, edge, to_node, reason, left_at)
      select moved.id, input.node, input.edge, input.to, input.reason,
        case when input.edge is not null then clock_timestamp() end
      from moved, jsonb_to_recordset(${JSON.stringify(path)}::jsonb) as input (node text, edge text, "to" text, reason text)
      on conflict (run_id, node) do update
      set edge = excluded.edge, to_node = excluded.to_node, reason = excluded.reason, left_at = excluded.left_at
      where excluded.edge is not null
    ),
    said as (
      insert into turn (run_id, number, first_node, last_node, subject_id, unit_id, answers_person, locale, says,
        channel)
      select moved.id, (select count(*) from turn where turn.run_id = moved.id) + 1, ${turn?.firstNode ?? null},
        ${turn?.says.at(-1)?.node ?? null},
        ${run.subjectId}, ${run.unitId}, ${facts.answersPerson}, ${facts.person.locale}, ${JSON.stringify(turn?.says ?? null)},
        ${turn?.onPage ? 'page' : null}::text
      from moved where ${turn !== null}
    )${move.retracted !== null ? retract(move.retracted) : sql``}${closes ? reportEnd() : sql``}${facts.handoff === 'open' ? leaveHandoff(steps) : sql``}${seePlace(facts, move)}
    select exists (select from moved) as moved`.execute(db)
  return rows[0]!.moved
}

/** The question at this node is asked again: its next answer counts. */
function retract(node: string) {
  return sql`, retracted as (
      delete from scenario_answer as answer using moved where answer.run_id = moved.id and answer.node = ${node}
    )`
}

function reportEnd() {
  return sql`, reported as (
      ${runEndsInto(sql`moved`)}
    )`
}

/** Closes the handoff of a run that has waited long enough for it, or ends: what follows is the run's again. */
function leaveHandoff(steps: readonly Step[]) {
  const timedOut = steps.flatMap(({ node, edge }) => (edge?.when?.kind === 'timeout' ? [node] : []))
  return sql`, left_handoff as (
      update handoff set closed_at = clock_timestamp(), closed_by = 'system:run',
        end_reason = case when handoff.node = any(${timedOut}::text[]) then 'timeout' else 'run_ended' end
      from moved where handoff.run_id = moved.id and handoff.closed_at is null
    )`
}

/**
 * A run that moves on by a place that its person has got while they waited has seen it; the person knows of it once what it
 * says next was sent, and at once if it says nothing.
 */
function seePlace(facts: RunFacts, { turn }: RunMove) {
  const hasPlace = facts.registered?.result === 'registered'
  const personKnows =
    (hasPlace && turn === null) || (facts.pattern?.own?.state === 'registered' && hasSent(facts))
  if (!hasPlace && !personKnows) return sql``
  return sql`, saw_place as (
      update registration set wake_due = false, promoted_at = case when not ${personKnows}::boolean then promoted_at end
      from moved where registration.run_id = moved.id and promoted_at is not null
    )`
}

/** Whether the texts of the run's node were sent; at a node of the waiting list, the notice that the person waits was. */
function hasSent({ node, turn, scenario }: RunFacts): boolean {
  const waits = scenario.graph.nodes.find(({ id }) => id === node)?.kind === 'register'
  return turn?.lastNode === node && !waits && (turn.state === 'sent' || turn.state === 'unknown')
}

/** The edge of a step, as rows hold it. */
function edgeOf({ edge }: Step): string {
  if (edge === null) return 'nextNode'
  return edge.when === undefined ? 'plain' : JSON.stringify(edge.when)
}

function wakeupAt(next: NextWakeup) {
  if (next === null) return sql<Date | null>`null::timestamptz`
  return 'at' in next
    ? sql<Date>`${new Date(next.at)}`
    : sql<Date>`clock_timestamp() + ${milliseconds(next.inMs)}`
}

/** What a run that has seen its row sets, besides its next wakeup. */
const seenNow = {
  woken_at: null,
  wake_count: 0,
  wedged_at: null,
  wedged_failures: 0,
  step_failures: 0,
}

/**
 * Records that a run has seen its row and that nothing is to be written, and when it acts next. Returns false if the row
 * has changed since.
 */
export async function recordSeen(db: Db, { run, version }: ObservedRun, next: NextWakeup): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scenario_run')
    .set({
      observed_version: version,
      next_wakeup_at: wakeupAt(next),
      ...seenNow,
    })
    .where('id', '=', run.id)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Records that a run has seen that its person was erased, so that nothing wakes it again. Returns whether this was not
 * recorded before.
 */
export async function recordGone(db: Db, runId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scenario_run')
    .set({ observed_version: sql`version`, next_wakeup_at: null, ...seenNow })
    .where('id', '=', runId)
    .where('subject_id', 'is', null)
    .where('observed_version', '<', sql.ref<number>('version'))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
