import { z } from 'zod'

/** A channel may add parameters of its own to the registered URL. */
export const AnyQuery = z.looseObject({})

/** One event of the chat provider: the fields that Carillon reads. Others are stored unchanged. */
export const ChatEvent = z
  .looseObject({
    type: z.string().min(1).max(100),
    webhookEventId: z.string().min(1).max(200).optional(),
    timestamp: z.number().optional().meta({
      description: 'Milliseconds since 1970. A negative or future value is replaced by the time of receipt.',
    }),
    source: z.looseObject({ type: z.string(), userId: z.string().min(1).max(200).optional() }).optional(),
    postback: z.looseObject({ data: z.string().optional() }).optional(),
  })
  .meta({ id: 'ChatEvent' })
export type ChatEvent = z.infer<typeof ChatEvent>

/** The outcome of a mail after it was accepted, as reported by the operator of the mail server. */
export const EmailEvent = z
  .strictObject({
    id: z.string().min(1).max(200).meta({ description: 'Unique. A repeated id changes nothing.' }),
    type: z.enum(['bounce', 'complaint']),
    address: z.string().min(3).max(320).optional().meta({ description: 'The address of the mailbox.' }),
    messageId: z
      .string()
      .min(3)
      .max(998)
      .optional()
      .meta({ description: 'The Message-ID of the mail, as an alternative to address.' }),
    permanent: z
      .boolean()
      .default(true)
      .meta({ description: 'false: a transient bounce, which does not suppress the address.' }),
    at: z
      .string()
      .max(100)
      .optional()
      .meta({
        description: 'ISO 8601 with an offset. An invalid or future time is replaced by the time of receipt.',
        examples: ['2026-12-01T09:00:00+08:00'],
      }),
  })
  .refine(({ address, messageId }) => address !== undefined || messageId !== undefined, {
    message: 'must have address or messageId',
  })
  .meta({ id: 'EmailEvent' })
export type EmailEvent = z.infer<typeof EmailEvent>

/** Events are parsed one by one when they are stored, so that an invalid one does not reject the others. */
function listOf<Event extends z.ZodType>(event: Event) {
  return z
    .array(z.union([event, z.unknown()]))
    .max(1_000)
    .meta({ description: 'Each event is parsed separately. An invalid one is stored as `unreadable`.' })
}

/** A request of the chat provider. One without events only verifies the endpoint. */
export const ChatWebhook = z
  .looseObject({ destination: z.string().optional(), events: listOf(ChatEvent) })
  .meta({ id: 'ChatWebhook' })
export type ChatWebhook = z.infer<typeof ChatWebhook>

/** Bounces and complaints. */
export const EmailWebhook = z.strictObject({ events: listOf(EmailEvent) }).meta({ id: 'EmailWebhook' })
export type EmailWebhook = z.infer<typeof EmailWebhook>

/** The number of new events stored. Workers process them afterwards. */
export const WebhookReceipt = z
  .object({
    stored: z.int().min(0),
    unreadable: z
      .int()
      .min(1)
      .optional()
      .meta({
        description:
          'The number of new events that could not be parsed. They are stored and have no effect. Omitted if there ' +
          'are none.',
      }),
    outdated: z
      .int()
      .min(1)
      .optional()
      .meta({
        description:
          'The number of events that happened longer ago than events are kept (RETENTION_WEBHOOKS_DAYS). They are ' +
          'dropped. Omitted if there are none.',
      }),
  })
  .meta({ id: 'WebhookReceipt' })
export type WebhookReceipt = z.infer<typeof WebhookReceipt>
