import { z } from 'zod'
import { atMost, Id, Instant, pageOf, Reference } from '../common.ts'
import { locales } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'
import { CanonicalMessage } from '../messages/content.ts'

/** A message that reached the caller or may have reached them. */
export const InboxItem = z
  .object({
    id: Id,
    messageId: Id,
    categoryId: z.string(),
    topicId: z.string().nullable(),
    receivedAt: Instant.meta({ description: 'When the send started.' }),
    readAt: Instant.nullable(),
    messages: z.array(CanonicalMessage).meta({
      description: 'As sent, in both languages; empty once the retention period of the text has passed.',
    }),
  })
  .meta({ id: 'InboxItem' })
export type InboxItem = z.infer<typeof InboxItem>

/** One page of the caller's inbox, newest first. */
export const InboxPage = pageOf(InboxItem).meta({ id: 'InboxPage' })
export type InboxPage = z.infer<typeof InboxPage>

/** A read item, with the time it was first marked as read. */
export const InboxRead = z.object({ id: Id, readAt: Instant }).meta({ id: 'InboxRead' })
export type InboxRead = z.infer<typeof InboxRead>

const language = z.enum(locales)

/** A recipient's language, and the categories and topics they receive, by channel. */
export const Preferences = z
  .object({
    language,
    categories: z
      .record(z.string(), z.object({ chat: z.boolean(), email: z.boolean(), fixed: z.boolean() }))
      .meta({
        description: 'By category id. fixed: the category is mandatory and cannot be turned off.',
      }),
    topics: z.record(z.string(), z.boolean()).meta({ description: 'By topic id; false: unsubscribed.' }),
    names: z
      .object({
        categories: z.record(z.string(), LocalisedText),
        topics: z.record(z.string(), LocalisedText),
      })
      .meta({ description: 'The names of the same categories and topics, by id, for people to read.' }),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.infer<typeof Preferences>

/** The same body as Preferences. Omitted fields are unchanged; `fixed` and `names` are ignored. */
export const ChangePreferences = z
  .strictObject({
    language: language.optional(),
    categories: atMost(
      z.record(
        Reference,
        z.strictObject({
          chat: z.boolean().optional(),
          email: z.boolean().optional(),
          fixed: z.boolean().optional(),
        }),
      ),
      limits.preferenceCategories,
      'categories',
    ).optional(),
    topics: atMost(z.record(Reference, z.boolean()), limits.preferenceTopics, 'topics').optional(),
    names: z.unknown().optional(),
  })
  .meta({ id: 'ChangePreferences' })
export type ChangePreferences = z.infer<typeof ChangePreferences>
