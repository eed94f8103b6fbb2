import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import {
  type Callback,
  type CallbackDelivery,
  CallbackDeliveryPage,
  CallbackListQuery,
  CallbackPage,
  Callback as CallbackSchema,
  CreateCallback,
  CreatedCallback,
  DeletedCallback,
  EditCallback,
  RotatedCallback,
  TestedCallback,
} from './callback.ts'

const exampleCallback: Callback = {
  id: exampleId,
  unitId: exampleUnitId,
  url: 'https://sis.example.edu/carillon',
  description: 'Student information system',
  types: ['message.closed'],
  state: 'active',
  disabledReason: null,
  failingSince: null,
  exhaustedDeliveries: 0,
  lastDeliveredAt: '2026-12-01T01:00:09.000Z',
  oldSecretExpiresAt: null,
  createdAt: '2026-11-20T02:00:00.000Z',
}

const exampleDelivery: CallbackDelivery = {
  id: exampleId,
  type: 'message.closed',
  messageId: exampleId,
  runId: null,
  messageState: 'sent',
  state: 'delivered',
  tries: 1,
  httpStatus: 204,
  reason: null,
  at: '2026-12-01T01:00:08.000Z',
  lastTryAt: '2026-12-01T01:00:09.000Z',
  nextTryAt: null,
}

const read = { method: 'GET', tag: 'Callbacks', auth: ['producer', 'session'] } as const
const write = { tag: 'Callbacks', auth: ['producer', 'session'], roles: ['editor'] } as const
const one = { path: '/v1/callbacks/{id}', unit: 'object', params: IdParams } as const

/** Signed webhooks that notify a unit's own systems of changes to its messages (Standard Webhooks). */
export const callbackEndpoints = {
  listCallbacks: {
    ...read,
    path: '/v1/callbacks',
    summary: 'List callbacks',
    description: 'Newest first, with their state and without secrets.',
    unit: 'query',
    query: CallbackListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: CallbackPage,
        example: { items: [exampleCallback], nextCursor: null },
      },
    },
    errors: [],
  },
  createCallback: {
    ...write,
    method: 'POST',
    path: '/v1/callbacks',
    summary: 'Register a callback',
    description:
      'Carillon POSTs each later change to the URL, signed according to Standard Webhooks. The secret is returned ' +
      'only in this response. A unit can have at most ten callbacks.',
    unit: 'body',
    body: CreateCallback,
    bodyExample: { url: 'https://sis.example.edu/carillon', types: ['message.closed'] },
    answers: {
      201: {
        description: 'The callback with its secret.',
        schema: CreatedCallback,
        example: { ...exampleCallback, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbXbXbXbXbXb=' },
      },
    },
    errors: ['not_configured'],
  },
  getCallback: {
    ...read,
    ...one,
    summary: 'Get a callback',
    description: 'Includes its state and failures.',
    answers: { 200: { description: 'The callback.', schema: CallbackSchema, example: exampleCallback } },
    errors: [],
  },
  editCallback: {
    ...write,
    ...one,
    method: 'PATCH',
    summary: 'Update, disable or enable a callback',
    description:
      'Disabling discards pending deliveries; changes made while the callback is disabled are never delivered. On an ' +
      'enabled callback, `enabled: true` sends pending deliveries immediately.',
    body: EditCallback,
    bodyExample: { enabled: true },
    answers: { 200: { description: 'The callback.', schema: CallbackSchema, example: exampleCallback } },
    errors: [],
  },
  deleteCallback: {
    ...write,
    ...one,
    method: 'DELETE',
    summary: 'Delete a callback',
    description: 'Takes effect immediately and discards pending deliveries.',
    answers: {
      200: { description: 'The callback is deleted.', schema: DeletedCallback, example: { deleted: true } },
    },
    errors: [],
  },
  rotateCallback: {
    ...write,
    method: 'POST',
    path: '/v1/callbacks/{id}/rotate',
    summary: 'Rotate the secret',
    description:
      'Returns the new secret, only in this response. For a day each request carries two signatures, one with the ' +
      'previous secret.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'The new secret.',
        schema: RotatedCallback,
        example: {
          secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfazfazfaz=',
          oldSecretExpiresAt: '2026-12-02T02:00:00.000Z',
        },
      },
    },
    errors: ['not_configured'],
  },
  testCallback: {
    ...write,
    method: 'POST',
    path: '/v1/callbacks/{id}/test',
    summary: 'Send a test request',
    description:
      'Sends one signed request of type callback.test now, without retries, and returns the result.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'The result.',
        schema: TestedCallback,
        example: { delivered: true, httpStatus: 204, reason: null, durationMs: 85 },
      },
    },
    errors: ['not_configured'],
  },
  listCallbackDeliveries: {
    ...read,
    path: '/v1/callbacks/{id}/deliveries',
    summary: 'List deliveries of a callback',
    description:
      'Newest first, with the last attempt of each. Only the status of a response is stored, not its body.',
    unit: 'object',
    params: IdParams,
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: CallbackDeliveryPage,
        example: { items: [exampleDelivery], nextCursor: null },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
