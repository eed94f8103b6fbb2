import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { Callback, CallbackDelivery } from './callback.ts'

export const exampleCallback: Callback = {
  id: exampleId,
  unitId: exampleUnitId,
  url: 'https://sis.example.edu/carillon',
  description: 'Student information system',
  types: ['message.closed'],
  state: 'active',
  disabledReason: null,
  failingSince: null,
  exhausted: 0,
  lastDeliveredAt: '2026-12-01T01:00:09.000Z',
  oldSecretUntil: null,
  createdAt: '2026-11-20T02:00:00.000Z',
}

export const exampleDelivery: CallbackDelivery = {
  id: exampleId,
  type: 'message.closed',
  messageId: exampleId,
  runId: null,
  messageState: 'sent',
  state: 'delivered',
  tries: 1,
  status: 204,
  code: null,
  at: '2026-12-01T01:00:08.000Z',
  lastTryAt: '2026-12-01T01:00:09.000Z',
  nextTryAt: null,
}
