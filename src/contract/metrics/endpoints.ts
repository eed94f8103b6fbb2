import type { Endpoint } from '../endpoint.ts'
import { MetricsQuery, Trend } from './trend.ts'

const ofUnit = {
  method: 'GET',
  tag: 'Units',
  auth: ['producer', 'session'],
  roles: ['approver'],
  unit: 'query',
  query: MetricsQuery,
  errors: ['not_found'],
} as const

/** What became of a unit's messages and scenarios: counts and ratios only. */
export const metricsEndpoints = {
  getTrend: {
    ...ofUnit,
    path: '/v1/metrics/trend',
    summary: 'Get the days of a unit in numbers',
    description:
      'One point for each of the last days that are over in the time zone of the unit. Counts only; the date is the only text.',
    answers: {
      200: {
        description: 'The points.',
        schema: Trend,
        example: {
          points: [
            {
              date: '2026-11-30',
              ...{ sent: 1_820, people: 1_791, reached: 1_804, read: 966 },
              ...{ blocked: 1, unsubscribes: 3, handoffs: null, answers: 412, completed: 38 },
            },
          ],
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
