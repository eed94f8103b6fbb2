import { IdParams, PageQuery } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { ChangePreferences, InboxPage, InboxRead, Preferences } from './recipient.ts'

const own = { tag: 'Recipients', auth: ['recipient'], unit: 'none' } as const

const exampleItem = {
  id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f',
  messageId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea0',
  categoryId: 'campus-events',
  topicId: null,
  receivedAt: '2026-12-01T01:00:00.000Z',
  readAt: null,
  messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日', en: 'Open day' } }],
}

const examplePreferences = {
  language: 'zh-TW',
  categories: {
    'campus-events': { chat: true, email: false, fixed: false, needsConsent: false },
    safety: { chat: true, email: true, fixed: true, needsConsent: false },
  },
  topics: { '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea1': true },
  names: {
    categories: {
      'campus-events': { 'zh-TW': '校園活動', en: 'Campus events' },
      safety: { 'zh-TW': '校園安全', en: 'Campus safety' },
    },
    topics: { '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea1': { 'zh-TW': '社團', en: 'Clubs' } },
  },
}

/** The recipient's own API. The ID token of the chat provider identifies the caller. */
export const recipientEndpoints = {
  listInbox: {
    ...own,
    method: 'GET',
    path: '/v1/me/inbox',
    summary: 'List the inbox',
    description:
      'Newest first. One item per message, however many channels delivered it; a reminder adds no item.',
    query: PageQuery,
    answers: {
      200: { description: 'A page.', schema: InboxPage, example: { items: [exampleItem], nextCursor: null } },
    },
    errors: [],
  },
  markInboxItemRead: {
    ...own,
    method: 'POST',
    path: '/v1/me/inbox/{id}/read',
    summary: 'Mark an item as read',
    description: 'Idempotent: a repeat returns the time of the first call.',
    params: IdParams,
    answers: {
      200: {
        description: 'The item is read.',
        schema: InboxRead,
        example: { id: exampleItem.id, readAt: '2026-12-01T01:05:00.000Z' },
      },
    },
    errors: [],
  },
  getPreferences: {
    ...own,
    method: 'GET',
    path: '/v1/me/preferences',
    summary: 'Get preferences',
    description:
      'Returns the language, every enabled category by channel, and every active topic of units that have written to the caller, with their names.',
    answers: { 200: { description: 'The preferences.', schema: Preferences, example: examplePreferences } },
    errors: [],
  },
  putPreferences: {
    ...own,
    method: 'PUT',
    path: '/v1/me/preferences',
    summary: 'Update preferences',
    description:
      'Accepts the body that GET returns, or any part of it. Omitted fields are unchanged. At most 1,000 categories and 5,000 topics at once.',
    body: ChangePreferences,
    bodyExample: { language: 'en' },
    answers: {
      200: { description: 'The updated preferences.', schema: Preferences, example: examplePreferences },
    },
    errors: ['fixed_category', 'not_found'],
  },
} as const satisfies Record<string, Endpoint>
