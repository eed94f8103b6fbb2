import { z } from 'zod'
import { atMost, Id, Instant, Locale, pageOf, Reference } from '../common.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { CanonicalMessage } from '../messages/content.ts'

export const InboxItem = z
  .object({
    id: Id.describe('The id of the item, to mark it as read.'),
    messageId: Id.describe('The message.'),
    categoryId: z.string().describe('The id of its category.'),
    topicId: z.string().nullable().describe('The id of its topic; null: none.'),
    receivedAt: Instant.describe('When the send started, in UTC.'),
    readAt: Instant.nullable().describe('When it was first marked as read, in UTC; null: it is unread.'),
    messages: z
      .array(CanonicalMessage)
      .describe(
        'The blocks as sent, in both languages; empty once the retention period of the text has passed.',
      ),
  })
  .meta({ id: 'InboxItem', description: 'A message that reached the caller, or may have reached them.' })
export type InboxItem = z.infer<typeof InboxItem>

export const InboxPage = pageOf(InboxItem).meta({
  id: 'InboxPage',
  description: "One page of the caller's inbox, newest first.",
})
export type InboxPage = z.infer<typeof InboxPage>

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
          fixed: z.boolean().describe('Whether the category is mandatory and cannot be turned off.'),
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
          fixed: z.boolean().optional().describe('Ignored, so that the body of GET is accepted.'),
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
