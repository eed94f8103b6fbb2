import { z } from 'zod'
import { atMost, Id, IdParams, Instant, Locale, PageQuery, pageOf, Reference } from '../common.ts'
import type { Endpoint } from '../endpoint.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { CanonicalMessage } from '../messages/content.ts'

export const InboxItem = z
  .object({
    id: Id.describe('The id of the item, to mark it as read.'),
    messageId: Id.describe('The message.'),
    title: LocalisedText.describe(
      'Its title; once the retention period of the text has passed, the name of its category.',
    ),
    unit: z
      .object({
        id: Id.describe('The id of the unit.'),
        name: LocalisedText.describe('Its name, as recipients of its messages see it.'),
      })
      .describe('The unit that sent it.'),
    category: z
      .object({
        id: z.string().describe('The id of the category.'),
        name: LocalisedText.describe('Its name.'),
      })
      .describe('Its category.'),
    categoryId: z.string().describe('The id of its category.'),
    topicId: z.string().nullable().describe('The id of its topic; null: none.'),
    sentAt: Instant.describe('When the send started, in UTC.'),
    expiresAt: Instant.nullable().describe('When what it says is over, in UTC; null: it does not expire.'),
    readAt: Instant.nullable().describe('When it was first marked as read, in UTC; null: it is unread.'),
    messages: z
      .array(CanonicalMessage)
      .describe(
        'The blocks as sent, in both languages; empty once the retention period of the text has passed.',
      ),
  })
  .meta({ id: 'InboxItem', description: 'A message that reached the caller, or may have reached them.' })
export type InboxItem = z.infer<typeof InboxItem>

const InboxPage = pageOf(InboxItem).meta({
  id: 'InboxPage',
  description: "One page of the caller's inbox, newest first.",
})

const InboxQuery = PageQuery.extend({
  unread: z.enum(['', 'true']).optional().describe('Given: only items that are not marked as read.'),
})
export type InboxQuery = z.infer<typeof InboxQuery>

export const InboxCount = z
  .object({ unread: z.number().int().describe('How many items are not marked as read.') })
  .meta({ id: 'InboxCount', description: "How much of the caller's inbox is unread." })
export type InboxCount = z.infer<typeof InboxCount>

export const InboxRead = z
  .object({
    id: Id.describe('The id of the item.'),
    readAt: Instant.describe('When it was first marked as read, in UTC.'),
  })
  .meta({ id: 'InboxRead', description: 'An item that is read.' })
export type InboxRead = z.infer<typeof InboxRead>

const language = Locale.describe('The language of messages to the recipient.')

export const Preferences = z
  .object({
    language,
    categories: z
      .record(
        z.string(),
        z.object({
          chat: z.boolean().describe('Whether they receive it in the chat.'),
          email: z.boolean().describe('Whether they receive it by mail.'),
          mandatory: z.boolean().describe('Whether the category is mandatory and cannot be turned off.'),
          needsConsent: z
            .boolean()
            .describe(
              'Whether the category requires a consent that they have not given. They then receive none ' +
                'of its messages, regardless of the choices here. The Identity API records consents.',
            ),
        }),
      )
      .describe('Every enabled category, by id.'),
    topics: z
      .record(z.string(), z.boolean())
      .describe(
        'Active topics of units that have written to the recipient, and those switched off, by id; false: unsubscribed.',
      ),
    names: z
      .object({
        categories: z.record(z.string(), LocalisedText).describe('Of the categories, by id.'),
        topics: z.record(z.string(), LocalisedText).describe('Of the topics, by id.'),
      })
      .describe('The names of the same categories and topics, for people to read.'),
  })
  .meta({
    id: 'Preferences',
    description: "A recipient's language, and the categories and topics that they receive.",
  })
export type Preferences = z.infer<typeof Preferences>

export const ChangePreferences = z
  .strictObject({
    language: language.optional().describe('The language of messages to the recipient. Omitted: unchanged.'),
    categories: atMost(
      z.record(
        Reference,
        z.strictObject({
          chat: z.boolean().optional().describe('Whether to receive it in the chat. Omitted: unchanged.'),
          email: z.boolean().optional().describe('Whether to receive it by mail. Omitted: unchanged.'),
          mandatory: z.boolean().optional().describe('Ignored, so that the body of GET is accepted.'),
          needsConsent: z.boolean().optional().describe('Ignored, so that the body of GET is accepted.'),
        }),
      ),
      limits.preferenceCategories,
      'categories',
    )
      .optional()
      .describe('Categories to change, by id. A mandatory one cannot be turned off. Others are unchanged.'),
    topics: atMost(z.record(Reference, z.boolean()), limits.preferenceTopics, 'topics')
      .optional()
      .describe('Topics to change, by id; false unsubscribes. Others are unchanged.'),
    names: z.unknown().optional().describe('Ignored, so that the body of GET is accepted.'),
  })
  .meta({ id: 'ChangePreferences', description: 'The body that GET returns, or any part of it.' })
export type ChangePreferences = z.infer<typeof ChangePreferences>

const own = { tag: 'Recipients', auth: ['recipient'], unit: 'none' } as const

const exampleItem = {
  id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f',
  messageId: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea0',
  title: { 'zh-TW': '校園開放日', en: 'Open day' },
  unit: { id: '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8ea2', name: { 'zh-TW': '教務處', en: 'Academic Affairs' } },
  category: { id: 'campus-events', name: { 'zh-TW': '校園活動', en: 'Campus events' } },
  categoryId: 'campus-events',
  topicId: null,
  sentAt: '2026-12-01T01:00:00.000Z',
  expiresAt: null,
  readAt: null,
  messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日', en: 'Open day' } }],
}

const examplePreferences = {
  language: 'zh-TW',
  categories: {
    'campus-events': { chat: true, email: false, mandatory: false, needsConsent: false },
    safety: { chat: true, email: true, mandatory: true, needsConsent: false },
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
    query: InboxQuery,
    answers: {
      200: { description: 'A page.', schema: InboxPage, example: { items: [exampleItem], nextCursor: null } },
    },
    errors: [],
  },
  countUnread: {
    ...own,
    method: 'GET',
    path: '/v1/me/inbox/unread',
    summary: 'Count the unread items of the inbox',
    description: 'What `GET /v1/me/inbox?unread` would list, as a number: for a badge.',
    answers: { 200: { description: 'The count.', schema: InboxCount, example: { unread: 3 } } },
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
