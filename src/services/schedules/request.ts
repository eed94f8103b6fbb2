import { retrySchedule } from '../../db/queries/schedule/observe-schedule.ts'
import { lockScheduleOfRun, updateSchedule } from '../../db/queries/schedule/schedule.ts'
import type { OperatorMove } from '../../domain/run/signals.ts'
import { countOccurrences } from '../../metrics/rows.ts'
import type { Services } from '../context.ts'
import { auditSchedule, stateOf } from './create.ts'
import { recordUnmade } from './due-occurrences.ts'

const actor = 'operator:temporal'

/** `missed`: how many occurrences were missed before it. */
type Applied = { moved: 'cancel' | 'retry' | 'none'; missed?: number }

/**
 * Applies an operator's request to a schedule: Request Cancellation disables it, `retry` tries the step that keeps failing
 * now. `none`: it is not due again, or nothing is held back. There is nothing to skip.
 */
export async function requestOfSchedule(
  { db }: Pick<Services, 'db'>,
  scheduleId: string,
  requested: OperatorMove,
): Promise<Pick<Applied, 'moved'>> {
  const { missed = 0, ...outcome } = await db.transaction().execute(async (trx): Promise<Applied> => {
    const row = await lockScheduleOfRun(trx, scheduleId)
    if (row?.state !== 'active' || requested === 'skip') return { moved: 'none' }
    const about = { id: row.id, unitId: row.unit_id }
    if (requested === 'retry') {
      if (!(await retrySchedule(trx, row.id))) return { moved: 'none' }
      await auditSchedule(trx, actor, 'retry', about)
      return { moved: 'retry' }
    }
    const missed = await recordUnmade(trx, row)
    await updateSchedule(trx, row.id, { ...stateOf(false, new Date()), plan: row.plan + 1 })
    await auditSchedule(trx, actor, 'disable', about)
    return { moved: 'cancel', missed }
  })
  countOccurrences({ missed })
  return outcome
}
