import { z } from 'zod'
import { IdParams, Instant } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { limits } from './limits.ts'
import { LocalisedText } from './localised-text.ts'

/** Which sentence of a trace an entry is. */
export const traceCodes = [
  ...([
    'moved',
    'closed_unsent',
    'not_named_yet',
    'will_receive',
    'will_not_receive',
    'reminder_due',
  ] as const),
  ...(['purged', 'not_in_send', 'not_in_reminder', 'in_send', 'in_reminder', 'skipped', 'in_batch'] as const),
  ...(['called', 'outcome', 'declined_reminder', 'answered'] as const),
  ...(['run_started', 'entered', 'left', 'turn_says', 'tried', 'try_pending', 'try_sent'] as const),
  ...(['try_failed', 'try_skipped', 'try_unknown', 'looked_up', 'lookup_ended', 'run_answered'] as const),
  ...([
    'run_stands',
    'run_ended',
    'handoff_opened',
    'handoff_open',
    'handoff_closed',
    'reply_stored',
  ] as const),
] as const
export type TraceCode = (typeof traceCodes)[number]

const TraceItem = z
  .object({
    at: Instant.nullable().describe('When it happened, in UTC; null: it is so now.'),
    code: z.enum(traceCodes).describe('Which sentence it is.'),
    text: LocalisedText.describe('The sentence.'),
    brief: LocalisedText.optional().describe(
      'The sentence without the retry key and request id of a call. Omitted: it names none.',
    ),
  })
  .meta({ id: 'TraceEntry', description: 'One thing that happened, as a sentence.' })

export const Trace = z
  .object({
    items: z.array(TraceItem).describe('In the order in which it happened; what is so now comes last.'),
  })
  .meta({
    id: 'Trace',
    description: 'What happened to one person, entry by entry. What was said is not shown.',
  })
export type Trace = z.infer<typeof Trace>

/** About whom a trace is asked. */
export const TraceQuery = z.object({
  uid: z.string().min(1).max(limits.uidLength).describe('The uid of the person.'),
})
export type TraceQuery = z.infer<typeof TraceQuery>

const named = {
  method: 'GET',
  auth: ['producer', 'session'],
  keyRight: 'individualTargeting',
  roles: ['approver'],
  administrativePeople: true,
  unit: 'object',
  params: IdParams,
  errors: [],
} as const

const exampleTrace = {
  items: [
    {
      at: '2030-12-01T01:00:02.310Z',
      code: 'skipped',
      text: {
        'zh-TW': '未透過聊天發送：這個管道沒有綁定地址。',
        en: 'Not sent by chat: no address was bound on this channel.',
      },
    },
  ],
} as const

/** Why one person did or did not receive something. */
export const traceEndpoints = {
  traceMessage: {
    ...named,
    tag: 'Messages',
    path: '/v1/messages/{id}/trace',
    summary: 'Explain a message for one person',
    description:
      'Why this person received it or did not, in sentences: moves, batches, calls to the provider, outcome, answers; ' +
      'before the send, whether they would receive it now. For keys with individualTargeting, approvers of the unit, and ' +
      'members of an administrative unit; the audit log records who asked.',
    query: TraceQuery,
    answers: { 200: { description: 'The trace.', schema: Trace, example: exampleTrace } },
  },
  traceRun: {
    ...named,
    tag: 'Runs',
    path: '/v1/runs/{id}/trace',
    summary: 'Explain a run',
    description:
      'Its path, turns, Lookups, answers and handoffs, in sentences. For keys with individualTargeting, approvers of the ' +
      'unit, and members of an administrative unit; the audit log records who asked.',
    answers: {
      200: {
        description: 'The trace.',
        schema: Trace,
        example: {
          items: [
            {
              at: '2030-12-01T01:00:01.902Z',
              code: 'entered',
              text: { 'zh-TW': '進入 coming。', en: 'Entered coming.' },
            },
          ],
        },
      },
    },
  },
} as const satisfies Record<string, Endpoint>
