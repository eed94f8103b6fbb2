import type { FastifyInstance } from 'fastify'
import { getCallback, listCallbackDeliveries, listCallbacks } from '../../services/callbacks/callbacks.ts'
import {
  createCallback,
  deleteCallback,
  editCallback,
  rotateCallback,
} from '../../services/callbacks/change.ts'
import { testCallback } from '../../services/callbacks/test.ts'
import type { Services } from '../../services/context.ts'
import { serve } from '../serve.ts'

/** Callbacks of a unit and their deliveries. */
export function callbackRoutes(app: FastifyInstance, services: Services): void {
  serve(app, 'listCallbacks', ({ principal, query }) => listCallbacks(services, principal, query))

  serve(app, 'createCallback', ({ principal, body }) => createCallback(services, principal, body))

  serve(app, 'getCallback', ({ principal, params }) => getCallback(services, principal, params.id))

  serve(app, 'editCallback', ({ principal, params, body }) =>
    editCallback(services, principal, params.id, body),
  )

  serve(app, 'deleteCallback', ({ principal, params }) => deleteCallback(services, principal, params.id))

  serve(app, 'rotateCallback', ({ principal, params }) => rotateCallback(services, principal, params.id))

  serve(app, 'testCallback', ({ principal, params }) => testCallback(services, principal, params.id))

  serve(app, 'listCallbackDeliveries', ({ principal, params, query }) =>
    listCallbackDeliveries(services, principal, params.id, query),
  )
}
