import { z } from 'zod'
import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { exampleId } from '../example-ids.ts'
import { limits } from '../limits.ts'
import {
  ClosedHandoff,
  HandoffDetail,
  HandoffPage,
  HandoffQuery,
  HandoffReply,
  ReplyInHandoff,
} from './handoff.ts'

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
  spokenAt: '2026-12-01T01:02:11.904Z',
  closedAt: null,
  closedBy: null,
  endReason: null,
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
          messages: [
            {
              id: '01939a2e-0000-7000-8000-000000000021',
              by: 'person',
              at: '2026-12-01T01:00:00.310Z',
              text: '我想找真人客服',
              messages: null,
              actor: null,
              state: null,
              reason: null,
            },
            {
              id: '01939a2e-0000-7000-8000-000000000022',
              by: 'unit',
              at: '2026-12-01T01:02:11.904Z',
              text: null,
              messages: [{ kind: 'text', text: { 'zh-TW': '您好，我是註冊組的林小姐。' } }],
              actor: { id: 'person:01939a2e-0000-7000-8000-000000000004', name: '林美' },
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
    method: 'POST',
    path: '/v1/handoffs/{id}/reply',
    summary: 'Reply in a handoff',
    description:
      'Stores a reply; a worker sends it in the chat, in order. It is free within a minute of the ' +
      "person's last message, otherwise it costs quota of the unit. Preferences and quiet hours do not " +
      'apply; a block does. 409 invalid_transition: the handoff is closed, or the chat address is not ' +
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
