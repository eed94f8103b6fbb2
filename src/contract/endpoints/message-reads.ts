import { IdParams } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { MessageDetail } from '../message-detail.ts'
import { MessageListQuery, MessagePage } from '../message-list.ts'
import { exampleDetail, exampleListItem } from './examples.ts'

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
