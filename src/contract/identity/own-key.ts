import { z } from 'zod'
import { exampleKey, exampleUnitRecord } from '../admin/examples.ts'
import { ProducerKey } from '../admin/key.ts'
import { UnitRecord } from '../admin/unit.ts'
import type { Endpoint } from '../endpoint.ts'

const perCaller = (description: string) =>
  z.int().nullable().describe(`${description} null: this installation does not limit them.`)

/** The rights of a producer key, for its callers (docs/api/keys.md). */
export const OwnKey = ProducerKey.omit({ unitId: true, revokedAt: true })
  .extend({
    unit: UnitRecord.pick({ id: true, name: true, kind: true, timeZone: true }).describe(
      'The unit that it acts for. A key of an `administrative` unit may use the operations of subjects and imports.',
    ),
    limits: z
      .object({
        perSecond: perCaller('Requests in a second, sustained, to each process of the API.'),
        burst: perCaller('Requests at once, after a pause, to each process of the API.'),
        perMinute: perCaller(
          'Requests in a rolling minute under `/v1/subjects/`, which the two others do not count.',
        ),
      })
      .describe('How many requests its calls may make; more are 429 `rate_limited`, with `Retry-After`.'),
  })
  .meta({ id: 'OwnKey', description: 'The key that called, without its secret, and what it may do.' })
export type OwnKey = z.infer<typeof OwnKey>

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
