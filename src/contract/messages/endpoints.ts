import { z } from 'zod'
import { IdParams, ifMatch } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import { CreatedMessage, CreateMessage, EditMessage } from './create.ts'
import { MessageDetail } from './detail.ts'
import { DryRun, Preview, PreviewMessage, PreviewQuery, RejectedTest, TestSend, TestSent } from './dry-run.ts'
import { exampleCreate, exampleDetail, exampleDryRun, exampleListItem, examplePreview } from './examples.ts'
import { MessageListQuery, MessagePage } from './list.ts'
import { EditedMessage, MovedMessage, SubmitMessage } from './moves.ts'

/** Also returned by submit, which checks variables, topic and permissions again. */
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

const idempotencyKey = z.object({
  'idempotency-key': z
    .string()
    .min(1)
    .max(limits.idempotencyKeyLength)
    .meta({
      description:
        `Names this message among those of the unit, 1 to ${limits.idempotencyKeyLength} characters: a repeated ` +
        'request with the same key creates no second message.',
      examples: ['open-day-2030'],
    }),
})

const writers = { tag: 'Messages', auth: ['producer', 'session'], roles: ['editor', 'approver'] } as const

/** Writing a message: create, edit, dry-run, submit. */
export const messageEndpoints = {
  createMessage: {
    ...writers,
    roles: ['editor'],
    method: 'POST',
    path: '/v1/messages',
    summary: 'Create a message',
    description:
      'Creates a draft. The Idempotency-Key makes retries safe: the same key and body return the same message (200, ' +
      'created false, its current state); the same key with a different body fails with 409. Each unit has its ' +
      'own keys.',
    unit: 'body',
    headers: idempotencyKey,
    body: CreateMessage,
    bodyExample: exampleCreate,
    answers: {
      201: {
        description: 'The draft was created.',
        schema: CreatedMessage,
        example: { id: exampleId, state: 'draft', created: true },
      },
      200: {
        description: 'The key was already used; this is its message.',
        schema: CreatedMessage,
        example: { id: exampleId, state: 'submitted', created: false },
      },
    },
    errors: ['idempotency_key_required', 'idempotency_mismatch', 'not_found', ...contentErrors],
  },
  dryRunUnsaved: {
    ...writers,
    roles: ['editor'],
    method: 'POST',
    path: '/v1/dry-run',
    summary: 'Dry-run a message that is not stored',
    description:
      'Takes the body of create, applies its rights and checks, and returns the dry-run of the draft that it would make. ' +
      'Writes nothing.',
    unit: 'body',
    body: CreateMessage,
    bodyExample: exampleCreate,
    answers: { 200: { description: 'The forecast.', schema: DryRun, example: exampleDryRun } },
    errors: ['not_found', ...contentErrors, 'not_configured'],
  },
  previewUnsaved: {
    ...writers,
    roles: ['editor'],
    method: 'POST',
    path: '/v1/preview',
    summary: 'Preview a message that is not stored',
    description:
      'Takes the body of create, applies its rights and checks, and shows the draft that it would make on a channel. Writes ' +
      'nothing.',
    unit: 'body',
    query: PreviewQuery,
    body: CreateMessage,
    bodyExample: exampleCreate,
    answers: { 200: { description: 'What the channel shows.', schema: Preview, example: examplePreview } },
    errors: ['not_found', ...contentErrors, 'content_violation', 'not_configured'],
  },
  copyMessage: {
    ...writers,
    roles: ['editor'],
    method: 'POST',
    path: '/v1/messages/{id}/copy',
    summary: 'Copy a message',
    description:
      'Creates a draft of the caller with the content, audience, topic and plan of a message in any ' +
      'state, such as a rejected one. The same rights and checks apply as when creating it. Past times ' +
      'and erased people are omitted; the reference is not copied. A template is used in its version in ' +
      'force. The text of a personal message can be copied by its authors and by approvers.',
    unit: 'object',
    params: IdParams,
    headers: idempotencyKey,
    answers: {
      201: {
        description: 'The draft was created.',
        schema: CreatedMessage,
        example: { id: exampleId, state: 'draft', created: true },
      },
      200: {
        description: 'The key was already used for a copy of this message; this is the copy.',
        schema: CreatedMessage,
        example: { id: exampleId, state: 'submitted', created: false },
      },
    },
    errors: ['idempotency_key_required', 'idempotency_mismatch', ...contentErrors],
  },
  editMessage: {
    ...writers,
    method: 'PATCH',
    path: '/v1/messages/{id}',
    summary: 'Edit a draft',
    description:
      'Replaces the given fields; null removes an optional field. With If-Match the edit is rejected (409 ' +
      'invalid_transition) if the draft no longer has that version.',
    unit: 'object',
    params: IdParams,
    headers: ifMatch('The version of the draft that was shown, from its detail or its last edit.'),
    body: EditMessage,
    bodyExample: { scheduleAt: '2030-12-01T09:00:00+08:00' },
    answers: {
      200: {
        description: 'The draft was updated.',
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
    summary: 'Dry-run a message',
    description:
      'Returns counts of recipients, the quota, violations and warnings; never individuals. Changes nothing. What people ' +
      `answered, registered for or received may select no fewer than ${limits.smallestAudience} of them, unless the caller ` +
      'may read that by name, and such a count is audited.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The forecast.', schema: DryRun, example: exampleDryRun } },
    errors: ['missing_variable', 'invalid_transition', 'individual_targeting_disabled', 'not_configured'],
  },
  submitMessage: {
    ...writers,
    method: 'POST',
    path: '/v1/messages/{id}/submit',
    summary: 'Submit for approval',
    description:
      'Repeats the dry-run, freezes the content and stores both. The message can no longer be edited. If its audience ' +
      `uses lists of the unit's own making (groups, receipts of its messages) and names fewer than ${limits.smallestAudience} ` +
      'people, that is individual targeting: keys need the right to it, the message becomes personal, and a person ' +
      'must approve it. The body may be omitted, or name who reads the answers.',
    unit: 'object',
    params: IdParams,
    body: SubmitMessage,
    bodyOptional: true,
    bodyExample: { organisers: [] },
    answers: {
      200: {
        description: 'The message is pending approval.',
        schema: MovedMessage,
        example: { state: 'submitted' },
      },
    },
    errors: ['content_violation', 'invalid_transition', 'not_configured', ...lastingErrors],
  },
} as const satisfies Record<string, Endpoint>

const reads = { method: 'GET', tag: 'Messages', auth: ['producer', 'session'], errors: [] } as const

/** Reading messages. */
export const messageReads = {
  getMessage: {
    ...reads,
    path: '/v1/messages/{id}',
    summary: 'Get a message',
    description:
      'Includes the stored dry-run, delivery counts, approvals, timeline, and what the caller may do.',
    unit: 'object',
    params: IdParams,
    answers: { 200: { description: 'The message.', schema: MessageDetail, example: exampleDetail } },
  },
  listMessages: {
    ...reads,
    path: '/v1/messages',
    summary: 'List messages',
    description:
      'Newest first unless order=oldest. Pass nextCursor of one response as cursor of the next request.',
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

/** Previewing a message before it is sent. */
export const previewEndpoints = {
  previewMessage: {
    method: 'POST',
    path: '/v1/messages/{id}/preview',
    tag: 'Messages',
    summary: 'Preview a message',
    description:
      'Shows a draft as submit would freeze it now, and after submit the frozen content; with `remindAt` the reminder ' +
      'too. The text of a personal message is shown only to its authors and to approvers. Changes nothing.',
    auth: ['producer', 'session'],
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
    summary: 'Send a test to yourself',
    description:
      'Sends to the caller: to their own mail address, or to the chat address of their subject. The message is marked ' +
      'as a test and in their language; its buttons do nothing. Uses no quota of the unit.',
    auth: ['session'],
    unit: 'object',
    params: IdParams,
    body: TestSend,
    bodyOptional: true,
    bodyExample: { channel: 'email' },
    answers: {
      200: {
        description: 'The provider accepted it.',
        schema: TestSent,
        example: { sent: true, channel: 'email' },
      },
    },
    errors: ['missing_variable', 'content_violation', 'provider', 'retryable', 'not_configured'],
    details: { provider: RejectedTest },
  },
} as const satisfies Record<string, Endpoint>
