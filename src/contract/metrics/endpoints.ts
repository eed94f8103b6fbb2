import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { ExecutiveMetrics } from './executive.ts'
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

/** Outcomes of a unit's messages and scenarios: counts and ratios only. */
export const metricsEndpoints = {
  getExecutiveMetrics: {
    ...ofUnit,
    path: '/v1/metrics/executive',
    summary: 'Get the last days of a unit in numbers',
    description:
      'Reach, unsubscribes, reminders, handoffs, patterns and conversations of the last days in the time zone of the unit, today included; ' +
      'funnel, interests and alumni of the whole institution, whose people all units share. A send shows within seconds of ' +
      'its end. Every field is a number or null.',
    answers: {
      200: {
        description: 'The numbers.',
        schema: ExecutiveMetrics,
        example: {
          reach: {
            sent: 41_310,
            people: 2_204,
            reached: 40_002,
            read: 21_761,
            blocked: 12,
            readRate: 0.544,
            blockRate: 0.0054,
          },
          unsubscribes: { topics: 31, categories: 9 },
          reminders: {
            [exampleId]: { reached: 2_118, read: 1_207, doNotRemind: 322, sentAfterReminder: 1_796 },
          },
          handoffs: { toPerson: 18, replies: 47 },
          completion: { [exampleId]: { invited: 214, completed: 131, rate: 0.6121 } },
          conversations: { runs: 640, turns: 2_911, people: 588, completed: 541 },
          funnel: {
            import: { visitor: 0, lead: 12, member: 1_990, alumni: 6_032 },
            chat_follow: { visitor: 214, lead: 31, member: 2, alumni: 0 },
          },
          interests: { 'interest:music': 120, other: 3 },
          alumni: { active: 804, total: 6_032 },
        },
      },
    },
  },
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
              sent: 1_820,
              people: 1_791,
              reached: 1_804,
              read: 966,
              blocked: 1,
              unsubscribes: 3,
              handoffs: 2,
              answers: 412,
              completed: 38,
            },
          ],
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
