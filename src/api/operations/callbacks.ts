import { getCallback, listCallbackDeliveries, listCallbacks } from '../../services/callbacks/callbacks.ts'
import {
  createCallback,
  deleteCallback,
  editCallback,
  rotateCallback,
} from '../../services/callbacks/change.ts'
import { testCallback } from '../../services/callbacks/test.ts'
import type { Services } from '../../services/context.ts'
import type { Handlers } from '../serve.ts'

/** Callbacks of a unit and their deliveries. */
export function callbackHandlers(services: Services) {
  return {
    listCallbacks: ({ principal, query }) => listCallbacks(services, principal, query),
    createCallback: ({ principal, body }) => createCallback(services, principal, body),
    getCallback: ({ principal, params }) => getCallback(services, principal, params.id),
    editCallback: ({ principal, params, body }) => editCallback(services, principal, params.id, body),
    deleteCallback: ({ principal, params }) => deleteCallback(services, principal, params.id),
    rotateCallback: ({ principal, params }) => rotateCallback(services, principal, params.id),
    testCallback: ({ principal, params }) => testCallback(services, principal, params.id),
    listCallbackDeliveries: ({ principal, params, query }) =>
      listCallbackDeliveries(services, principal, params.id, query),
  } satisfies Partial<Handlers>
}
