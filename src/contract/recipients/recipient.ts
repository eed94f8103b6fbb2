import { z } from 'zod'
import { Id, Instant, pageOf } from '../common.ts'
import { locales } from '../enums.ts'
import { CanonicalMessage } from '../messages/content.ts'

/** A message that reached the caller, or may have. */
export const InboxItem = z
  .object({
    id: Id,
    messageId: Id,
    categoryId: z.string(),
    topicId: z.string().nullable(),
    receivedAt: Instant.meta({ description: 'When its send began.' }),
    readAt: Instant.nullable(),
    messages: z.array(CanonicalMessage).meta({
      description: 'As it was sent, in both languages; empty where the retention time of its text is over.',
    }),
  })
  .meta({ id: 'InboxItem' })
export type InboxItem = z.infer<typeof InboxItem>

/** What the caller received, newest first. */
export const InboxPage = pageOf(InboxItem).meta({ id: 'InboxPage' })
export type InboxPage = z.infer<typeof InboxPage>

/** That an item was read, and when that was first said. */
export const InboxRead = z.object({ id: Id, readAt: Instant }).meta({ id: 'InboxRead' })
export type InboxRead = z.infer<typeof InboxRead>

const language = z.enum(locales)

/** What a person wants to receive, on which channels, and in which language. */
export const Preferences = z
  .object({
    language,
    categories: z
      .record(z.string(), z.object({ chat: z.boolean(), email: z.boolean(), fixed: z.boolean() }))
      .meta({
        description: 'By id. fixed: it is mandatory and cannot be switched off.',
      }),
    topics: z.record(z.string(), z.boolean()).meta({ description: 'By id; false: unsubscribed.' }),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.infer<typeof Preferences>

/** The same body; what is left out stays as it is, and `fixed` is not looked at. */
export const ChangePreferences = z
  .strictObject({
    language: language.optional(),
    categories: z
      .record(
        z.string(),
        z.strictObject({
          chat: z.boolean().optional(),
          email: z.boolean().optional(),
          fixed: z.boolean().optional(),
        }),
      )
      .optional(),
    topics: z.record(z.string(), z.boolean()).optional(),
  })
  .meta({ id: 'ChangePreferences' })
export type ChangePreferences = z.infer<typeof ChangePreferences>
