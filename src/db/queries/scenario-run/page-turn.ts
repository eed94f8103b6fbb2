import { sql } from 'kysely'
import type { Trx } from '../../connect.ts'
import type { Opening } from '../../tables/scenario.ts'
import type { PendingTurn } from './turn.ts'

/** A turn that is to be said on a page, and its run. */
export type PageTurn = {
  number: number
  /** Its run has ended. */
  over: boolean
  /** The scenario is paused: it is said once that goes on. */
  held: boolean
  /** The person reads on: they have answered on the page within the minute. */
  reads: boolean
  /** What they chose on the page that started the run, before its question was asked. */
  opening: Opening | null
}

/** Locks a turn that waits to be said on a page, after its run; undefined if it waits no more, or goes by a channel. */
export async function lockPageTurn(trx: Trx, { id, runId }: PendingTurn): Promise<PageTurn | undefined> {
  await sql`select from scenario_run where id = ${runId} for no key update`.execute(trx)
  const { rows } = await sql<PageTurn>`
    select turn.number, run.closed_at is not null as over,
      scenario.state = 'paused' as held,
      coalesce(run.on_page and run.spoke_at > clock_timestamp() - interval '1 minute', false) as reads,
      run.opening
    from turn join scenario_run as run on run.id = turn.run_id
      join scenario on scenario.id = run.scenario_id
    where turn.id = ${id} and turn.state = 'pending' and turn.channel = 'page'
    for no key update of turn`.execute(trx)
  return rows[0]
}

/** Ends a turn on a page; `sent`: the page shows it. Requires its lock. */
export async function endPageTurn(
  trx: Trx,
  { id, runId }: PendingTurn,
  { state, reason }: { state: 'sent' | 'skipped' | 'failed'; reason: string | null },
): Promise<void> {
  await sql`
    with ended as (
      update turn set state = ${state}, reason = ${reason}, by = 'page', tries = 1, first_try_at = clock_timestamp(),
        closed_at = clock_timestamp()
      where id = ${id}
    )
    update scenario_run set version = version + 1, changed_at = clock_timestamp(), problem = null
    where id = ${runId}`.execute(trx)
}

/** Leaves a turn to the person's own channel: nobody reads its page any more. Requires its lock. */
export async function leavePage(trx: Trx, { id }: PendingTurn): Promise<void> {
  await trx.updateTable('turn').set({ channel: null }).where('id', '=', id).execute()
}

/** Records which turn has asked what was chosen on the page that started its run; null: that was never asked. */
export async function closeOpening(trx: Trx, runId: string, turn: number | null): Promise<void> {
  const opening = turn === null ? null : JSON.stringify({ turn } satisfies Opening)
  await trx.updateTable('scenario_run').set({ opening }).where('id', '=', runId).execute()
}
