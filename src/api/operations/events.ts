import type { Services } from '../../services/context.ts'
import { approveBinding, rejectBinding } from '../../services/events/decide-binding.ts'
import { getBinding, listBindings } from '../../services/events/read-bindings.ts'
import { receiveEvent, receiveEvents } from '../../services/events/receive.ts'
import { getRecordedEvent, listRecordedEvents, replayRecordedEvent } from '../../services/events/recorded.ts'
import { replayBinding } from '../../services/events/replay.ts'
import { changeBinding, createBinding, deleteBinding } from '../../services/events/write-binding.ts'
import { receiveAssistantWebhook, receiveWebhook } from '../../services/webhooks/receive.ts'
import type { Handlers } from '../serve.ts'

/** Signed events, their bindings and what was recorded; webhooks of the channels, which are stored and answered, and applied then. */
export function eventHandlers(services: Services) {
  return {
    receiveEvent: ({ principal, params, body }) => receiveEvent(services, principal, params.source, body),
    receiveEvents: ({ principal, params, body }) => receiveEvents(services, principal, params.source, body),
    listEventBindings: ({ principal, query }) => listBindings(services, principal, query),
    createEventBinding: ({ principal, body }) => createBinding(services, principal, body),
    getEventBinding: ({ principal, params }) => getBinding(services, principal, params.id),
    updateEventBinding: ({ principal, params, body }) => changeBinding(services, principal, params.id, body),
    approveEventBinding: ({ principal, params, body }) =>
      approveBinding(services, principal, params.id, body),
    rejectEventBinding: ({ principal, params, body }) => rejectBinding(services, principal, params.id, body),
    deleteEventBinding: ({ principal, params }) => deleteBinding(services, principal, params.id),
    replayEventBinding: ({ principal, params }) => replayBinding(services, principal, params.id),
    listRecordedEvents: ({ principal, query }) => listRecordedEvents(services, principal, query),
    getRecordedEvent: ({ principal, params }) => getRecordedEvent(services, principal, params.id),
    replayRecordedEvent: ({ principal, params }) => replayRecordedEvent(services, principal, params.id),
    receiveChatWebhook: ({ body }) => receiveWebhook(services, 'chat', body, new Date()),
    receiveEmailWebhook: ({ body }) => receiveWebhook(services, 'email', body, new Date()),
    receiveAvatarWebhook: ({ body }) => receiveAssistantWebhook(services, body, new Date()),
  } satisfies Partial<Handlers>
}
