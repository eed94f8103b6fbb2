import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { changeSchedule, deleteSchedule } from '../../services/schedules/change.ts'
import { createSchedule } from '../../services/schedules/create.ts'
import { getSchedule, listOccurrences, listSchedules } from '../../services/schedules/read.ts'
import { serve } from '../serve.ts'

/** Schedules of a unit and their occurrences (docs/api/schedules.md). */
export function scheduleRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listSchedules', ({ principal, query }) => listSchedules(services, principal, query))

  serve(app, 'createSchedule', async ({ principal, headers, body, reply }) => {
    const key = headers['idempotency-key'] ?? null
    const { schedule, created } = await createSchedule(services, principal, key, body)
    reply.code(created ? 201 : 200)
    return schedule
  })

  serve(app, 'getSchedule', ({ principal, params }) => getSchedule(services, principal, params.id))

  serve(app, 'editSchedule', ({ principal, params, body }) =>
    changeSchedule(services, principal, params.id, body),
  )

  serve(app, 'deleteSchedule', ({ principal, params }) => deleteSchedule(services, principal, params.id))

  serve(app, 'listOccurrences', ({ principal, params, query }) =>
    listOccurrences(services, principal, params.id, query),
  )
}
