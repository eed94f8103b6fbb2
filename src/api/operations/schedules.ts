import type { Services } from '../../services/context.ts'
import { changeSchedule, deleteSchedule } from '../../services/schedules/change.ts'
import { createSchedule } from '../../services/schedules/create.ts'
import { getSchedule, listOccurrences, listSchedules } from '../../services/schedules/read.ts'
import type { Handlers } from '../serve.ts'

/** Schedules of a unit and their occurrences (docs/api/schedules.md). */
export function scheduleHandlers(services: Services) {
  return {
    listSchedules: ({ principal, query }) => listSchedules(services, principal, query),
    createSchedule: async ({ principal, headers, body, reply }) => {
      const key = headers['idempotency-key'] ?? null
      const { schedule, created } = await createSchedule(services, principal, key, body)
      reply.code(created ? 201 : 200)
      return schedule
    },
    getSchedule: ({ principal, params }) => getSchedule(services, principal, params.id),
    editSchedule: ({ principal, params, body }) => changeSchedule(services, principal, params.id, body),
    deleteSchedule: ({ principal, params }) => deleteSchedule(services, principal, params.id),
    listOccurrences: ({ principal, params, query }) => listOccurrences(services, principal, params.id, query),
  } satisfies Partial<Handlers>
}
