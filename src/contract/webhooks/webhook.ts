import { z } from 'zod'

/** One event of the chat provider, as far as we look into it; the rest is kept as it is. */
export const ChatEvent = z
  .looseObject({
    type: z.string().min(1).max(100),
    webhookEventId: z.string().min(1).max(200).optional(),
    timestamp: z.number().optional().meta({
      description:
        'Milliseconds since 1970. Before that or in the future it counts as the moment of receipt.',
    }),
    source: z.looseObject({ type: z.string(), userId: z.string().min(1).max(200).optional() }).optional(),
    postback: z.looseObject({ data: z.string().optional() }).optional(),
  })
  .meta({ id: 'ChatEvent' })
export type ChatEvent = z.infer<typeof ChatEvent>

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
    at: z
      .string()
      .max(100)
      .optional()
      .meta({
        description:
          'ISO 8601 with an offset. What cannot be read, or lies in the future, counts as the moment of receipt.',
        examples: ['2026-12-01T09:00:00+08:00'],
      }),
  })
  .refine(({ address, messageId }) => address !== undefined || messageId !== undefined, {
    message: 'say whose it was: address or messageId',
  })
  .meta({ id: 'EmailEvent' })
export type EmailEvent = z.infer<typeof EmailEvent>

/** Events are read one by one where they are stored, so that an odd one refuses none of the others. */
function listOf<Event extends z.ZodType>(event: Event) {
  return z
    .array(z.union([event, z.unknown()]))
    .max(1_000)
    .meta({ description: 'Each is read by itself. What is no event of this form is stored as `unreadable`.' })
}

/** What the chat provider posts; without events it only wants to see that somebody answers. */
export const ChatWebhook = z
  .looseObject({ destination: z.string().optional(), events: listOf(ChatEvent) })
  .meta({ id: 'ChatWebhook' })
export type ChatWebhook = z.infer<typeof ChatWebhook>

/** Bounces and complaints. */
export const EmailWebhook = z.strictObject({ events: listOf(EmailEvent) }).meta({ id: 'EmailWebhook' })
export type EmailWebhook = z.infer<typeof EmailWebhook>

/** How many events were new and are stored; they are worked off afterwards. */
export const WebhookTaken = z
  .object({
    stored: z.int().min(0),
    unreadable: z.int().min(1).optional().meta({
      description:
        'How many others were new and could not be read: they are kept, and nothing follows from them. Left out where all could.',
    }),
  })
  .meta({ id: 'WebhookTaken' })
export type WebhookTaken = z.infer<typeof WebhookTaken>
