import { z } from 'zod'
import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId, exampleUnitId } from '../example-ids.ts'
import { bounds, limits } from '../limits.ts'
import {
  CreateSchedule,
  DeletedSchedule,
  type Occurrence,
  OccurrencePage,
  Schedule,
  ScheduleListQuery,
  SchedulePage,
  UpdateSchedule,
} from './schedule.ts'

const read = { method: 'GET', tag: 'Schedules', auth: ['producer', 'session'] } as const
const write = { tag: 'Schedules', auth: ['producer', 'session'], roles: ['editor'] } as const
const one = { path: '/v1/schedules/{id}', unit: 'object', params: IdParams } as const

const recurring = { name: 'Monday reminder', type: 'recurring', cron: '0 9 * * 1' } as const
const message = {
  categoryId: 'academic-affairs',
  messages: [
    { kind: 'text', text: { 'zh-TW': '本週選課將於週五截止。', en: 'Course selection closes on Friday.' } },
  ],
  audience: { kind: 'query', roles: ['student'] },
  expiresAfterSeconds: 86_400,
} as const

const exampleOccurrence: Occurrence = {
  id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8eb1',
  dueAt: '2030-12-02T01:00:00.000Z',
  at: '2030-12-02T01:00:00.212Z',
  outcome: 'created',
  reason: null,
  messageId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8eb2',
  runs: null,
  error: null,
}
const system = { id: 'key:01939a2e-0000-7000-8000-000000000003', name: 'Registration system' }
const exampleSchedule = {
  id: exampleId,
  unitId: exampleUnitId,
  ...recurring,
  timeZone: 'Asia/Taipei',
  at: null,
  delaySeconds: null,
  message,
  scenario: null,
  enabled: true,
  state: 'active',
  disabledReason: null,
  consecutiveFailures: 0,
  nextTimes: ['2030-12-09T01:00:00.000Z', '2030-12-16T01:00:00.000Z', '2030-12-23T01:00:00.000Z'],
  lastOccurrence: exampleOccurrence,
  actsFor: system,
  createdBy: system,
  createdAt: '2030-11-28T02:00:00.000Z',
  updatedAt: '2030-11-28T02:00:00.000Z',
}

const ofContent = [
  'category_not_allowed',
  'individual_targeting_disabled',
  'audience_dimension_not_allowed',
  'fixed_category',
  'topic_inactive',
  'missing_variable',
  'not_found',
  'invalid_transition',
  'too_many_subjects',
] as const

/** Messages and starts of scenarios at set times (docs/api/schedules.md). */
export const scheduleEndpoints = {
  listSchedules: {
    ...read,
    path: '/v1/schedules',
    summary: 'List schedules',
    description: 'Newest first, each with its next and its last occurrence.',
    unit: 'query',
    query: ScheduleListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: SchedulePage,
        example: { items: [exampleSchedule], nextCursor: null },
      },
    },
    errors: [],
  },
  createSchedule: {
    ...write,
    method: 'POST',
    path: '/v1/schedules',
    summary: 'Create a schedule',
    description:
      'Each occurrence makes its message, submits it and asks the automatic check, or starts its runs, with the rights ' +
      'that the caller has then. The caller needs them now, too. A unit has at most ' +
      `${bounds.schedules.most.toLocaleString('en')} schedules that are not over.`,
    unit: 'body',
    headers: z.object({
      'idempotency-key': z
        .string()
        .min(1)
        .max(limits.idempotencyKeyLength)
        .optional()
        .describe(
          `Names this schedule among those of the unit, 1 to ${limits.idempotencyKeyLength} characters. A repeat with the ` +
            'same body returns the schedule (200). Omitted: each request creates one.',
        ),
    }),
    body: CreateSchedule,
    bodyExample: { ...recurring, message },
    answers: {
      201: { description: 'The schedule is created.', schema: Schedule, example: exampleSchedule },
      200: {
        description: 'The key was used before: the schedule as it is now.',
        schema: Schedule,
        example: exampleSchedule,
      },
    },
    errors: ['idempotency_mismatch', ...ofContent],
  },
  getSchedule: {
    ...read,
    ...one,
    summary: 'Get a schedule',
    description: 'With its next three and its last occurrence.',
    answers: { 200: { description: 'The schedule.', schema: Schedule, example: exampleSchedule } },
    errors: [],
  },
  editSchedule: {
    ...write,
    ...one,
    method: 'PATCH',
    summary: 'Update, disable or enable a schedule',
    description:
      'Takes effect for the next occurrence. A caller who changes its content or times becomes the one ' +
      'whose rights it uses, and an author of its messages. A schedule that is over cannot be changed ' +
      '(409).',
    body: UpdateSchedule,
    bodyExample: { cron: '30 8 * * 1' },
    answers: { 200: { description: 'The schedule.', schema: Schedule, example: exampleSchedule } },
    errors: [...ofContent],
  },
  deleteSchedule: {
    ...write,
    ...one,
    method: 'DELETE',
    summary: 'Delete a schedule',
    description: 'It has no further occurrences. Its messages and runs continue.',
    answers: {
      200: { description: 'The schedule is deleted.', schema: DeletedSchedule, example: { deleted: true } },
    },
    errors: ['category_not_allowed'],
  },
  listOccurrences: {
    ...read,
    path: '/v1/schedules/{id}/occurrences',
    summary: 'List occurrences of a schedule',
    description: 'Newest first: each due time, with its outcome.',
    unit: 'object',
    params: IdParams,
    query: PageQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: OccurrencePage,
        example: { items: [exampleOccurrence], nextCursor: null },
      },
    },
    errors: [],
  },
} as const satisfies Record<string, Endpoint>
