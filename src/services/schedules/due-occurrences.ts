import type { Trx } from '../../db/connect.ts'
import { databaseNow } from '../../db/queries/message/message.ts'
import { hasOccurred, insertOccurrences, type NewOccurrence } from '../../db/queries/schedule/occurrence.ts'
import type { ScheduleRow } from '../../db/queries/schedule/schedule.ts'
import { type DueOccurrences, dueOccurrences, occurrenceKey } from '../../domain/schedule/occurrence.ts'
import { validityOf } from './content.ts'
import { whenOf } from './timing.ts'

/** The most occurrences that are written down at once; a schedule that was missed for long needs several steps. */
const mostAtOnce = 500

/** A schedule that is due, locked, and what is due of it. */
export type Due = { row: ScheduleRow; due: DueOccurrences }

/** What is due of a locked schedule now; null: nothing. */
export async function dueNow(trx: Trx, row: ScheduleRow): Promise<Due | null> {
  if (!row.next_at) return null
  const now = await databaseNow(trx)
  const nextAt = row.next_at.getTime()
  if (nextAt > now) return null
  const validMs = validityOf(row.message)
  return { row, due: dueOccurrences(whenOf(row), nextAt, { now, validMs, most: mostAtOnce }) }
}

/** The columns of an occurrence, except its outcome. */
export function occurrenceOf(row: ScheduleRow, { nextAt }: Pick<DueOccurrences, 'nextAt'>, dueAt: number) {
  const key = occurrenceKey(whenOf(row), dueAt)
  const next_at = nextAt === null ? null : new Date(nextAt)
  return { schedule_id: row.id, key, due_at: new Date(dueAt), plan: row.plan, next_at }
}

/** Each missed one names the one after it as what was due next. */
export function missedOf(row: ScheduleRow, due: DueOccurrences): NewOccurrence[] {
  return due.missed.map(({ dueAt, reason }, index) => {
    const nextAt = due.missed[index + 1]?.dueAt ?? due.make ?? due.nextAt
    return { ...occurrenceOf(row, { nextAt }, dueAt), outcome: 'missed', reason }
  })
}

/**
 * Records what is due of a locked schedule and not made yet as missed, before the schedule is disabled, deleted or given
 * other times: the one that would have been made as `changed`. Returns how many were missed before, for the metrics: a
 * change is no outage.
 */
export async function recordUnmade(trx: Trx, locked: ScheduleRow): Promise<number> {
  let [row, missed] = [locked, 0]
  for (let next = await dueNow(trx, row); next; next = await dueNow(trx, row)) {
    const { due } = next
    const unmade = due.make
    const again = unmade !== null && (await hasOccurred(trx, row.id, occurrenceKey(whenOf(row), unmade)))
    const newest: NewOccurrence[] =
      unmade === null || again
        ? []
        : [{ ...occurrenceOf(row, due, unmade), outcome: 'missed', reason: 'changed' }]
    await insertOccurrences(trx, [...missedOf(row, due), ...newest])
    missed += due.missed.length
    row = { ...row, next_at: due.nextAt === null ? null : new Date(due.nextAt) }
  }
  return missed
}
