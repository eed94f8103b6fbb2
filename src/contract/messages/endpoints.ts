import { z } from 'zod'
import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import { CreatedMessage, CreateMessage, EditMessage } from './create.ts'
import { MessageDetail } from './detail.ts'
import { DryRun, Preview, PreviewMessage, TestSend, TestSent } from './dry-run.ts'
import { exampleCreate, exampleDetail, exampleDryRun, exampleListItem, examplePreview } from './examples.ts'
import { MessageListQuery, MessagePage } from './list.ts'
import { EditedMessage, MovedMessage } from './moves.ts'

/** What a draft may turn out to be when it is handed in, too: variables, topic and rights are looked at once more. */
const lastingErrors = [
  'missing_variable',
  'audience_dimension_not_allowed',
  'topic_inactive',
  'category_not_allowed',
  'individual_targeting_disabled',
] as const
const contentErrors = [
  ...lastingErrors,
  'fixed_category',
  'remind_before_send',
  'remind_after_expiry',
] as const

const writers = { tag: 'Messages', doors: ['producer', 'session'], roles: ['editor', 'approver'] } as const

/** Writing a message: create, edit, look at what it would do, hand it in. */
export const messageEndpoints = {
  createMessage: {
    ...writers,
    roles: ['editor'],
    method: 'POST',
    path: '/v1/messages',
    summary: 'Create a message',
    description:
      'Writes a draft. The Idempotency-Key makes it safe to repeat: the same key and body answer the same message ' +
      '(200, created false, its state of today), the same key with another body 409. One namespace per unit.',
    unit: 'body',
    headers: z.object({
      'idempotency-key': z
        .string()
        .min(1)
        .max(limits.idempotencyKeyLength)
        .meta({ examples: ['open-day-2030'] }),
    }),
    body: CreateMessage,
    bodyExample: exampleCreate,
    answers: {
      201: {
        description: 'The draft was written.',
        schema: CreatedMessage,
        example: { id: exampleId, state: 'draft', created: true },
      },
      200: {
        description: 'The key was known: this is what it made.',
        schema: CreatedMessage,
        example: { id: exampleId, state: 'submitted', created: false },
      },
    },
    errors: ['idempotency_key_required', 'idempotency_mismatch', 'not_found', ...contentErrors],
  },
  editMessage: {
    ...writers,
    method: 'PATCH',
    path: '/v1/messages/{id}',
    summary: 'Edit a draft',
    description:
      'Replaces what is named; null takes an optional field away. If-Match with the version that was shown ' +
      'refuses the edit (409 invalid_transition) where somebody else was faster.',
    unit: 'object',
    params: IdParams,
    headers: z.object({
      'if-match': z
        .string()
        .regex(/^(W\/)?"?\d{1,9}"?$/, 'the version as a number, plain or in quotes')
        .optional(),
    }),
    body: EditMessage,
    bodyExample: { scheduleAt: '2030-12-01T09:00:00+08:00' },
    answers: {
      200: {
        description: 'The draft was changed.',
        schema: EditedMessage,
        example: { state: 'draft', version: 2 },
      },
    },
    errors: ['invalid_transition', ...contentErrors],
  },
  dryRunMessage: {
    ...writers,
    method: 'POST',
    path: '/v1/messages/{id}/dry-run',
    summary: 'Count what it would do',
    description: 'Numbers only: recipients, quota, and what a channel cannot carry. Changes nothing.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The forecast of now.', schema: DryRun, example: exampleDryRun } },
    errors: ['missing_variable', 'invalid_transition', 'not_configured'],
  },
  submitMessage: {
    ...writers,
    method: 'POST',
    path: '/v1/messages/{id}/submit',
    summary: 'Submit for approval',
    description:
      'Runs the dry-run once more, freezes the content and stores both. From then on it cannot be edited.',
    unit: 'object',
    params: IdParams,
    answers: {
      200: { description: 'It waits for approval.', schema: MovedMessage, example: { state: 'submitted' } },
    },
    errors: ['content_violation', 'invalid_transition', 'not_configured', ...lastingErrors],
  },
} as const satisfies Record<string, Endpoint>

const reads = { method: 'GET', tag: 'Messages', doors: ['producer', 'session'], errors: [] } as const

/** Looking at messages. */
export const messageReads = {
  getMessage: {
    ...reads,
    path: '/v1/messages/{id}',
    summary: 'One message',
    description:
      'With its stored dry-run, counts of deliveries, approvals, timeline, and what the caller may do.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The message.', schema: MessageDetail, example: exampleDetail } },
  },
  listMessages: {
    ...reads,
    path: '/v1/messages',
    summary: 'Messages of a unit',
    description: 'Newest first unless order=oldest. Hand nextCursor of one answer to the next call.',
    unit: 'query',
    query: MessageListQuery,
    answers: {
      200: {
        description: 'A page.',
        schema: MessagePage,
        example: { items: [exampleListItem], nextCursor: null },
      },
    },
  },
} as const satisfies Record<string, Endpoint>

/** Seeing a message before others do. */
export const previewEndpoints = {
  previewMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/preview',
    tag: 'Messages',
    summary: 'See it as a reader will',
    description:
      'A draft as it would be frozen now; from submit on, what was frozen. The text of a personal message is shown to ' +
      'its authors and to approvers. Changes nothing.',
    doors: ['producer', 'session'],
    unit: 'object',
    params: IdParams,
    body: PreviewMessage,
    bodyExample: { locale: 'en', channel: 'chat' },
    answers: { 200: { description: 'What the channel shows.', schema: Preview, example: examplePreview } },
    errors: ['missing_variable', 'content_violation', 'not_configured'],
  },
  testSendMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/test-send',
    tag: 'Messages',
    summary: 'Send it to yourself',
    description:
      'To the address of the caller: a person’s own mail address, or the chat address of the subject that they are. ' +
      'Marked as a test, in their language; its buttons do nothing. Costs no quota of the unit.',
    doors: ['session'],
    unit: 'object',
    params: IdParams,
    body: TestSend,
    bodyOptional: true,
    bodyExample: { channel: 'email' },
    answers: {
      200: {
        description: 'The provider has taken it.',
        schema: TestSent,
        example: { sent: true, channel: 'email' },
      },
    },
    errors: ['missing_variable', 'content_violation', 'provider', 'retryable', 'not_configured'],
  },
} as const satisfies Record<string, Endpoint>
