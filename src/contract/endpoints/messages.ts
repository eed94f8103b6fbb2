import { z } from 'zod'
import { IdParams } from '../common.ts'
import { CreatedMessage, CreateMessage, EditMessage } from '../create-message.ts'
import { DryRun } from '../dry-run.ts'
import type { Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { EditedMessage, MovedMessage } from '../message-moves.ts'
import { exampleCreate, exampleDryRun, exampleId } from './examples.ts'

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
