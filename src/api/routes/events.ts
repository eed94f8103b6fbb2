import type { FastifyInstance } from 'fastify'
import type { Services } from '../../services/context.ts'
import { approveBinding, rejectBinding } from '../../services/events/decide-binding.ts'
import { getBinding, listBindings } from '../../services/events/read-bindings.ts'
import { receiveEvent, receiveEvents } from '../../services/events/receive.ts'
import { getRecordedEvent, listRecordedEvents, replayRecordedEvent } from '../../services/events/recorded.ts'
import { replayBinding } from '../../services/events/replay.ts'
import { changeBinding, createBinding, deleteBinding } from '../../services/events/write-binding.ts'
import { serve } from '../serve.ts'

/** Signed events, their bindings, and what was recorded (docs/api/events.md, event-bindings.md, recorded-events.md). */
export function eventRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'receiveEvent', ({ principal, params, body }) =>
    receiveEvent(services, principal, params.source, body),
  )

  serve(app, 'receiveEvents', ({ principal, params, body }) =>
    receiveEvents(services, principal, params.source, body.events),
  )

  serve(app, 'listEventBindings', ({ principal, query }) => listBindings(services, principal, query))

  serve(app, 'createEventBinding', ({ principal, body }) => createBinding(services, principal, body))

  serve(app, 'getEventBinding', ({ principal, params }) => getBinding(services, principal, params.id))

  serve(app, 'updateEventBinding', ({ principal, params, body }) =>
    changeBinding(services, principal, params.id, body),
  )

  serve(app, 'approveEventBinding', ({ principal, params, body }) =>
    approveBinding(services, principal, params.id, body),
  )

  serve(app, 'rejectEventBinding', ({ principal, params, body }) =>
    rejectBinding(services, principal, params.id, body),
  )

  serve(app, 'deleteEventBinding', ({ principal, params }) => deleteBinding(services, principal, params.id))

  serve(app, 'replayEventBinding', ({ principal, params }) => replayBinding(services, principal, params.id))

  serve(app, 'listRecordedEvents', ({ principal, query }) => listRecordedEvents(services, principal, query))

  serve(app, 'getRecordedEvent', ({ principal, params }) => getRecordedEvent(services, principal, params.id))

  serve(app, 'replayRecordedEvent', ({ principal, params }) =>
    replayRecordedEvent(services, principal, params.id),
  )
}
