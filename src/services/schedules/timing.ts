import { broken } from '../../contract/rules.ts'
import type { UpdateSchedule } from '../../contract/schedules/schedule.ts'
import type { ScheduleRow } from '../../db/queries/schedule/schedule.ts'
import { cronIssue } from '../../domain/schedule/cron.ts'
import type { When } from '../../domain/schedule/occurrence.ts'
import { type Issue, validationError } from '../validation-error.ts'

/** The fields of a body that say when, and the columns that keep them. */
export type WhenFields = Pick<UpdateSchedule, 'at' | 'delaySeconds' | 'cron' | 'timeZone'>

/** The fields of each type, those first that it must have. */
const fieldsOf: Record<When['type'], (keyof WhenFields)[]> = {
  once: ['at'],
  delay: ['delaySeconds'],
  recurring: ['cron', 'timeZone'],
}
const allFields = Object.values(fieldsOf).flat()

/** When a stored schedule fires. */
export function whenOf(row: Pick<ScheduleRow, 'type' | 'at' | 'delay_seconds' | 'cron' | 'time_zone'>): When {
  switch (row.type) {
    case 'once':
      return { type: 'once', at: row.at!.getTime() }
    case 'delay':
      return { type: 'delay', delaySeconds: row.delay_seconds! }
    case 'recurring':
      return { type: 'recurring', cron: row.cron!, timeZone: row.time_zone! }
  }
}

/**
 * When a body says that a schedule fires. `timeZone`: where the body names none.
 * @throws ServiceError validation_error for fields that its type lacks or does not have, and for a cron expression
 */
export function whenIn(type: When['type'], fields: WhenFields, { timeZone }: { timeZone: string }): When {
  const issues = issuesOf(type, fields)
  if (issues.length > 0) throw validationError(issues)
  const { at, delaySeconds, cron } = fields
  switch (type) {
    case 'once':
      return { type, at: Date.parse(at!) }
    case 'delay':
      return { type, delaySeconds: delaySeconds! }
    case 'recurring':
      return { type, cron: cron!, timeZone: fields.timeZone ?? timeZone }
  }
}

function issuesOf(type: When['type'], fields: WhenFields): Issue[] {
  const [required, ...others] = fieldsOf[type]
  const own = [required!, ...others]
  const misplaced = allFields.filter((name) => fields[name] !== undefined && !own.includes(name))
  const cron = type === 'recurring' && fields.cron !== undefined ? cronIssue(fields.cron) : null
  return [
    ...(fields[required!] === undefined ? [{ path: required!, ...broken('missing', { type }) }] : []),
    ...misplaced.map((path) => ({ path, ...broken('unexpected', { type }) })),
    ...(cron === null ? [] : [{ path: 'cron', ...cron }]),
  ]
}

/** The columns that keep when a schedule fires. */
export function whenColumns(when: When) {
  return {
    at: when.type === 'once' ? new Date(when.at) : null,
    delay_seconds: when.type === 'delay' ? when.delaySeconds : null,
    cron: when.type === 'recurring' ? when.cron : null,
    time_zone: when.type === 'recurring' ? when.timeZone : null,
  }
}
