import { exampleKey, exampleUnitRecord } from '../admin/examples.ts'
import type { Endpoint } from '../endpoint.ts'
import { OwnKey } from './own-key.ts'

const { unitId: _unitId, revokedAt: _revokedAt, ...rights } = exampleKey
const { id, name, kind, timeZone } = exampleUnitRecord
const exampleOwnKey: OwnKey = {
  ...rights,
  unit: { id, name, kind, timeZone },
  limits: { perSecond: 50, burst: 500, perMinute: 60 },
}

/** What a producer key may do (docs/api/keys.md). */
export const keyEndpoints = {
  getKey: {
    method: 'GET',
    path: '/v1/key',
    tag: 'Units',
    summary: 'Get the key that calls',
    description:
      'What the producer key of this request may do: its unit, the categories and audience dimensions it is limited to, its ' +
      'rights, and how often it may call.',
    auth: ['producer'],
    unit: 'none',
    answers: { 200: { description: 'The key.', schema: OwnKey, example: exampleOwnKey } },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
