import { z } from 'zod'
import { Actor, Id, IdParams, Instant, Locale, oneOrMore, PageQuery, pageOf, UnitId } from './common.ts'
import type { Endpoint } from './endpoint.ts'
import { handoffEnds, handoffStates, turnStates } from './enums.ts'
import { exampleId } from './example-ids.ts'
import { limits } from './limits.ts'
import { CanonicalMessage } from './messages/content.ts'
import { refuseLongText, textLimit } from './text-length.ts'

const fields = {
  id: Id.describe('The id of the handoff.'),
  unitId: Id.describe('The unit whose people answer.'),
  state: z.enum(handoffStates).describe('`open`: what the person types goes to the people of the unit.'),
  openedBy: z
    .enum(['scenario', 'assistant'])
    .describe('What handed the conversation over: the node of a scenario, or the conversational assistant.'),
  scenarioId: Id.nullable().describe('The scenario; null: the assistant opened it.'),
  runId: Id.nullable()
    .optional()
    .describe(
      'The run that waits at the node; null: the assistant opened it. Only for callers who may read ' +
        'personal data of runs.',
    ),
  node: z
    .string()
    .nullable()
    .optional()
    .describe('The id of the node; null: the assistant opened it. Only for the same callers.'),
  conversationId: z
    .string()
    .nullable()
    .describe(
      'The conversation as the assistant names it; null: a scenario opened it, or it is past retention.',
    ),
  subjectId: Id.nullable().describe(
    'The person; null: the chat address is not bound, the person was erased, or the handoff is past ' +
      'retention.',
  ),
  uid: z.string().nullable().describe('Their uid; null as `subjectId`.'),
  test: z.boolean().describe('Whether a test run opened it; such handoffs send no mail.'),
  openedAt: Instant.describe('When, in UTC.'),
  lastMessageAt: Instant.describe(
    'The time of the last message of either side, in UTC; at first, of its opening.',
  ),
  closedAt: Instant.nullable().describe('When it was closed, in UTC; null: it is open.'),
  closedBy: Actor.nullable().describe('Who closed it; null: it is open.'),
  reason: z
    .enum(handoffEnds)
    .nullable()
    .describe(
      'Why it is closed: by the unit (`closed`), by the `assistant`, after a day of `silence`, because the time of its ' +
        'node was over (`timeout`), because its run ended another way (`run_ended`), because the chat address is no longer ' +
        "the person's (`unbound`), or because the person was `erased`; null: it is open.",
    ),
}

export const Handoff = z
  .object(fields)
  .meta({ id: 'Handoff', description: 'A conversation that people of a unit have taken over.' })
export type Handoff = z.infer<typeof Handoff>

export const HandoffPage = pageOf(Handoff).meta({
  id: 'HandoffPage',
  description: 'One page of the handoffs of a unit, newest first.',
})
export type HandoffPage = z.infer<typeof HandoffPage>

/** By state. Sessions of people in several units must pass unitId. */
export const HandoffQuery = PageQuery.extend({
  unitId: UnitId,
  state: oneOrMore(z.enum(handoffStates))
    .optional()
    .describe('Only handoffs in these states. May be repeated. Omitted: all.'),
})
export type HandoffQuery = z.infer<typeof HandoffQuery>

const HandoffMessage = z
  .object({
    id: Id.describe('The id of the message.'),
    from: z.enum(['person', 'unit']).describe('The side that said it.'),
    at: Instant.describe('When it was taken, in UTC.'),
    text: z
      .string()
      .nullable()
      .describe('The text of the person; null: not a text, or a reply of the unit, which is in `messages`.'),
    messages: z
      .array(CanonicalMessage)
      .nullable()
      .describe('The reply of the unit; null: a message of the person, or its text was deleted.'),
    by: Actor.nullable().describe('Who replied; null: a message of the person.'),
    state: z
      .enum(turnStates)
      .nullable()
      .describe(
        'Of a reply: `pending`: it will be sent. `unknown`: it may or may not have arrived. null: a ' +
          'message of the person.',
      ),
    reason: z.string().nullable().describe('Why a reply was skipped or failed; null if there is no reason.'),
  })
  .meta({ id: 'HandoffMessage', description: 'A message of one side of a handoff.' })

const HandoffPerson = z
  .object({
    displayName: z.string().nullable().describe('Their name; null: not known.'),
    locale: Locale.describe('The language in which they read.'),
    classIds: z.array(z.string()).describe('Their classes.'),
    orgUnits: z.array(z.string()).describe('Their organisational units.'),
  })
  .meta({ id: 'HandoffPerson', description: 'The person in the conversation.' })

export const HandoffDetail = z
  .object({
    ...fields,
    person: HandoffPerson.nullable().describe(
      'The person; null: nobody is bound to the address, or they were erased.',
    ),
    messages: z
      .array(HandoffMessage)
      .describe(
        `The conversation, oldest first: the newest ${limits.messagesPerHandoff} of what was said, and of these as many as ` +
          `have ${limits.handoffCharacters.toLocaleString('en')} characters together.`,
      ),
    omitted: z.int().min(0).describe('How many older ones are not shown.'),
  })
  .meta({ id: 'HandoffDetail', description: 'A handoff with its conversation.' })
export type HandoffDetail = z.infer<typeof HandoffDetail>

export const ClosedHandoff = z
  .object({
    id: Id.describe('The id of the handoff.'),
    state: z.literal('closed').describe('Always closed.'),
  })
  .meta({ id: 'ClosedHandoff', description: 'The handoff is closed.' })
export type ClosedHandoff = z.infer<typeof ClosedHandoff>

export const ReplyInHandoff = z
  .strictObject({
    messages: z
      .array(CanonicalMessage)
      .min(1)
      .max(limits.messagesPerTurn)
      .describe(
        `The reply, 1 to ${limits.messagesPerTurn} messages. Buttons may only be links, because people answer by ` +
          `writing. ${textLimit}`,
      ),
  })
  .superRefine(refuseLongText)
  .meta({ id: 'ReplyInHandoff', description: 'A reply of the unit.' })
export type ReplyInHandoff = z.infer<typeof ReplyInHandoff>

export const HandoffReply = z
  .object({
    id: Id.describe('The id of the reply in `messages` of the handoff.'),
    state: z.enum(turnStates).describe('`pending`: it will be sent. Of a repeat: what has become of it.'),
  })
  .meta({ id: 'HandoffReply', description: 'The reply is stored.' })
export type HandoffReply = z.infer<typeof HandoffReply>

const ofUnit = {
  tag: 'Handoffs',
  auth: ['producer', 'session'],
  keyRight: 'individualTargeting',
} as const

const exampleHandoff = {
  id: exampleId,
  unitId: '01939a2e-0000-7000-8000-000000000001',
  state: 'open',
  openedBy: 'assistant',
  scenarioId: null,
  runId: null,
  node: null,
  conversationId: 'c-20261201-7',
  subjectId: '01939a2e-0000-7000-8000-000000000007',
  uid: 's1024001',
  test: false,
  openedAt: '2026-12-01T01:00:00.310Z',
  lastMessageAt: '2026-12-01T01:02:11.904Z',
  closedAt: null,
  closedBy: null,
  reason: null,
} as const

/** Conversations that people of a unit take over (docs/api/handoffs.md). */
export const handoffEndpoints = {
  listHandoffs: {
    ...ofUnit,
    method: 'GET',
    path: '/v1/handoffs',
    summary: 'List handoffs',
    description: 'The handoffs of a unit, newest first. The audit log records who read them.',
    unit: 'query',
    query: HandoffQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: HandoffPage,
        example: { items: [exampleHandoff], nextCursor: null },
      },
    },
    errors: [],
  },
  getHandoff: {
    ...ofUnit,
    method: 'GET',
    path: '/v1/handoffs/{id}',
    summary: 'Get a handoff with its conversation',
    description: 'Messages of the person and replies of the unit. The audit log records who read it.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'The handoff.',
        schema: HandoffDetail,
        example: {
          ...exampleHandoff,
          person: { displayName: '林小美', locale: 'zh-TW', classIds: ['EE-2A'], orgUnits: ['engineering'] },
          messages: [
            {
              id: '01939a2e-0000-7000-8000-000000000021',
              from: 'person',
              at: '2026-12-01T01:00:00.310Z',
              text: '我想找真人客服',
              messages: null,
              by: null,
              state: null,
              reason: null,
            },
            {
              id: '01939a2e-0000-7000-8000-000000000022',
              from: 'unit',
              at: '2026-12-01T01:02:11.904Z',
              text: null,
              messages: [{ kind: 'text', text: { 'zh-TW': '您好，我是註冊組的林小姐。' } }],
              by: { id: 'person:01939a2e-0000-7000-8000-000000000004', name: '林美' },
              state: 'sent',
              reason: null,
            },
          ],
          omitted: 0,
        },
      },
    },
    errors: [],
  },
  replyInHandoff: {
    ...ofUnit,
    keyRight: 'handoffReply',
    method: 'POST',
    path: '/v1/handoffs/{id}/reply',
    summary: 'Reply in a handoff',
    description:
      'Stores a reply; a worker sends it in the chat, in order. It is free within a minute of the ' +
      "person's last message, otherwise it costs quota of the unit. Preferences and quiet hours do not " +
      'apply; a block does. A key says the same words to at most ' +
      `${limits.sameWordsByKeys} people of a unit within an hour; more is a message. 409 invalid_transition: the handoff is closed, or the chat address is not ` +
      'bound to a subject.',
    unit: 'object',
    params: IdParams,
    headers: z.object({
      'idempotency-key': z
        .string()
        .min(1)
        .max(limits.idempotencyKeyLength)
        .optional()
        .describe(
          `Names this reply among those of the handoff, 1 to ${limits.idempotencyKeyLength} characters. A repeat with the ` +
            'same body sends nothing, and gets the id of the first.',
        ),
    }),
    body: ReplyInHandoff,
    bodyExample: { messages: [{ kind: 'text', text: { 'zh-TW': '您好，我是註冊組的林小姐。' } }] },
    answers: {
      202: {
        description: 'The reply is stored.',
        schema: HandoffReply,
        example: { id: '01939a2e-0000-7000-8000-000000000022', state: 'pending' },
      },
    },
    errors: ['idempotency_mismatch', 'content_violation', 'invalid_transition', 'not_configured'],
  },
  closeHandoff: {
    ...ofUnit,
    method: 'POST',
    path: '/v1/handoffs/{id}/close',
    summary: 'Close a handoff',
    description:
      'What the person writes afterwards is not part of it, and a run that waits for it continues. ' +
      'Pending replies are still sent.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: {
        description: 'The handoff is closed.',
        schema: ClosedHandoff,
        example: { id: exampleId, state: 'closed' },
      },
    },
    errors: ['invalid_transition'],
  },
} as const satisfies Record<string, Endpoint>
