import { z } from 'zod'
import { DateTime } from './common.ts'

/** One event of the chat provider, as far as we look into it; the rest is kept as it is (channels.md, Webhook). */
export const ChatEvent = z
  .looseObject({
    type: z.string().min(1).max(100),
    webhookEventId: z.string().min(1).max(200).optional(),
    timestamp: z
      .int()
      .min(0)
      .max(8_640_000_000_000_000)
      .optional()
      .meta({ description: 'Milliseconds since 1970.' }),
    source: z.looseObject({ type: z.string(), userId: z.string().min(1).max(200).optional() }).optional(),
    postback: z.looseObject({ data: z.string().optional() }).optional(),
  })
  .meta({ id: 'ChatEvent' })
export type ChatEvent = z.infer<typeof ChatEvent>

/** What the chat provider posts; without events it only wants to see that somebody answers. */
export const ChatWebhook = z
  .looseObject({ destination: z.string().optional(), events: z.array(ChatEvent).max(1_000) })
  .meta({ id: 'ChatWebhook' })
export type ChatWebhook = z.infer<typeof ChatWebhook>

/** What became of a mail after it was accepted, as whoever runs the mail server tells us. */
export const EmailEvent = z
  .strictObject({
    id: z.string().min(1).max(200).meta({ description: 'Unique; told again, it changes nothing.' }),
    type: z.enum(['bounce', 'complaint']),
    address: z.string().min(3).max(320).optional().meta({ description: 'Whose mailbox it was.' }),
    messageId: z
      .string()
      .min(3)
      .max(998)
      .optional()
      .meta({ description: 'The Message-ID of the mail, instead of the address.' }),
    permanent: z
      .boolean()
      .default(true)
      .meta({ description: 'false: a bounce that may pass, which suppresses nothing.' }),
    at: DateTime.optional(),
  })
  .refine(({ address, messageId }) => address !== undefined || messageId !== undefined, {
    message: 'say whose it was: address or messageId',
  })
  .meta({ id: 'EmailEvent' })
export type EmailEvent = z.infer<typeof EmailEvent>

/** Bounces and complaints. */
export const EmailWebhook = z
  .strictObject({ events: z.array(EmailEvent).max(1_000) })
  .meta({ id: 'EmailWebhook' })
export type EmailWebhook = z.infer<typeof EmailWebhook>

/** How many events were new and are stored; they are worked off afterwards. */
export const WebhookTaken = z.object({ stored: z.int().min(0) }).meta({ id: 'WebhookTaken' })
export type WebhookTaken = z.infer<typeof WebhookTaken>
