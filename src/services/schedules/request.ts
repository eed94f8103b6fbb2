import { retrySchedule } from '../../db/queries/schedule/observe-schedule.ts'
import { lockScheduleOfRun, updateSchedule } from '../../db/queries/schedule/schedule.ts'
import type { OperatorMove } from '../../domain/signals.ts'
import type { Services } from '../context.ts'
import { auditSchedule, stateOf } from './create.ts'

const actor = 'operator:temporal'

/**
 * Applies an operator's request to a schedule: Request Cancellation disables it, `retry` tries the step that keeps failing
 * now. `none`: it is not due again, or nothing is held back. There is nothing to skip.
 */
export async function requestOfSchedule(
  { db }: Pick<Services, 'db'>,
  scheduleId: string,
  requested: OperatorMove,
): Promise<{ moved: 'cancel' | 'retry' | 'none' }> {
  return db.transaction().execute(async (trx) => {
    const row = await lockScheduleOfRun(trx, scheduleId)
    if (row?.state !== 'active' || requested === 'skip') return { moved: 'none' }
    const about = { id: row.id, unitId: row.unit_id }
    if (requested === 'retry') {
      if (!(await retrySchedule(trx, row.id))) return { moved: 'none' }
      await auditSchedule(trx, actor, 'retry', about)
      return { moved: 'retry' }
    }
    await updateSchedule(trx, row.id, { ...stateOf(false, new Date()), plan: row.plan + 1 })
    await auditSchedule(trx, actor, 'disable', about)
    return { moved: 'cancel' }
  })
}
