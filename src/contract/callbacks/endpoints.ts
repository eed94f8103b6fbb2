import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import {
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
import { exampleCallback, exampleDelivery } from './examples.ts'

const read = { method: 'GET', tag: 'Callbacks', doors: ['producer', 'session'] } as const
const write = { tag: 'Callbacks', doors: ['producer', 'session'], roles: ['editor'] } as const
const one = { path: '/v1/callbacks/{id}', unit: 'object', params: IdParams } as const

/** Signed webhooks that tell a unit's own systems what becomes of its messages (Standard Webhooks). */
export const callbackEndpoints = {
  listCallbacks: {
    ...read,
    path: '/v1/callbacks',
    summary: 'Callbacks of a unit',
    description: 'Newest first, with how they do; never their secrets.',
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
      'From now on each change is POSTed to the address, signed as Standard Webhooks says. The secret is shown only ' +
      'in this answer. A unit has at most ten.',
    unit: 'body',
    body: CreateCallback,
    bodyExample: { url: 'https://sis.example.edu/carillon', types: ['message.closed'] },
    answers: {
      201: {
        description: 'The callback, and its secret.',
        schema: CreatedCallback,
        example: { ...exampleCallback, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwbXbXbXbXbXb=' },
      },
    },
    errors: ['not_configured'],
  },
  getCallback: {
    ...read,
    ...one,
    summary: 'One callback',
    description: 'With how it does.',
    answers: { 200: { description: 'The callback.', schema: CallbackSchema, example: exampleCallback } },
    errors: [],
  },
  editCallback: {
    ...write,
    ...one,
    method: 'PATCH',
    summary: 'Change a callback, switch it off or on',
    description:
      'What would be told while it is off is not kept. Switching on sends what still waits at once, also where it was ' +
      'on already.',
    body: EditCallback,
    bodyExample: { enabled: true },
    answers: { 200: { description: 'The callback.', schema: CallbackSchema, example: exampleCallback } },
    errors: [],
  },
  deleteCallback: {
    ...write,
    ...one,
    method: 'DELETE',
    summary: 'Remove a callback',
    description: 'At once, with what still waits to be told.',
    answers: { 200: { description: 'It is gone.', schema: DeletedCallback, example: { deleted: true } } },
    errors: [],
  },
  rotateCallback: {
    ...write,
    method: 'POST',
    path: '/v1/callbacks/{id}/rotate',
    summary: 'A new secret',
    description:
      'Shown only in this answer. For a day the old one signs as well: each request then carries two signatures.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'The new secret.',
        schema: RotatedCallback,
        example: {
          secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfazfazfaz=',
          oldSecretUntil: '2026-12-02T02:00:00.000Z',
        },
      },
    },
    errors: ['not_configured'],
  },
  testCallback: {
    ...write,
    method: 'POST',
    path: '/v1/callbacks/{id}/test',
    summary: 'Send a test',
    description: 'One signed request of type callback.test, sent now and once; the answer says how it went.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'How it went.',
        schema: TestedCallback,
        example: { delivered: true, status: 204, code: null, durationMs: 85 },
      },
    },
    errors: ['not_configured'],
  },
  listCallbackDeliveries: {
    ...read,
    path: '/v1/callbacks/{id}/deliveries',
    summary: 'What a callback was told',
    description: 'Newest first, with the last try of each. What they answered is not kept, only its status.',
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
