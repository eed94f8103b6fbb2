import { z } from 'zod'
import { Channel, CountByChannel } from '../common.ts'
import { type Exclusion, locales } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { CanonicalMessage } from './content.ts'

const count = z.int().min(0)

/**
 * Content that a channel cannot carry, or that no channel may: `path` points into the producer's messages
 * (`messages[0].cards[2].title.en`). A warning has the same form.
 */
export const Violation = z
  .object({ path: z.string(), code: z.string(), limit: z.number().optional(), message: LocalisedText })
  .meta({ id: 'Violation' })

/** In pushes: recipients times provider calls. Both remainders are those of the month of the send. */
export const QuotaForecast = z
  .object({
    estimatedPushes: count.meta({ description: 'For the send. A reminder costs at most the same again.' }),
    unitRemaining: count,
    poolRemaining: count,
    wouldExceed: z
      .boolean()
      .meta({ description: 'Whether unit and pool together cannot cover the send, including its reminder.' }),
  })
  .meta({ id: 'QuotaForecast' })

/**
 * Counts of subjects: total + Σ excluded (+ frequency) = subjects in the audience. `unknown` counts uids of no subject;
 * `byChannel` counts deliveries.
 */
export const Recipients = z
  .object({
    total: count,
    byChannel: CountByChannel,
    excluded: z.object({
      noConsent: count,
      noAddress: count,
      preferenceOff: count,
      blocked: count,
    } satisfies Record<Exclusion, z.ZodType>),
    unknown: count,
    frequency: count
      .optional()
      .meta({ description: 'Subjects who have reached the frequency cap. Only if the category has one.' }),
  })
  .meta({ id: 'Recipients' })

/** The dry-run result: numbers only, never individuals. */
export const DryRun = z
  .object({
    recipients: Recipients,
    quota: z.partialRecord(Channel, QuotaForecast),
    violations: z
      .array(Violation)
      .meta({ description: 'Content that must be changed before the message can be submitted.' }),
    warnings: z.array(Violation).meta({
      description:
        'Content that can be sent, but may not do what its author expects: `no_scenario`, a button that leads into a ' +
        'scenario of which the message is no part.',
    }),
  })
  .meta({ id: 'DryRun' })
export type DryRun = z.infer<typeof DryRun>

/** The dry-run that submit stored, with its time. */
export const StoredDryRun = DryRun.extend({ at: z.iso.datetime() }).meta({ id: 'StoredDryRun' })

/** The language and channel to preview. */
export const PreviewMessage = z
  .strictObject({ locale: z.enum(locales).default('zh-TW'), channel: Channel })
  .meta({ id: 'PreviewMessage' })
export type PreviewMessage = z.infer<typeof PreviewMessage>

/** Common to every channel: the messages with template variables filled in, and what the channel cannot carry. */
const shared = {
  locale: z.enum(locales),
  messages: z.array(CanonicalMessage),
  violations: z.array(Violation),
}

/**
 * What a recipient will see. For chat, `calls` are the provider's message objects, grouped by the call that sends them.
 */
export const Preview = z
  .discriminatedUnion('channel', [
    z.object({
      channel: z.literal('chat'),
      ...shared,
      calls: z.array(z.array(z.record(z.string(), z.unknown()))),
    }),
    z.object({
      channel: z.literal('email'),
      ...shared,
      subject: z.string(),
      html: z.string().meta({
        description: 'A complete HTML page. Links that Carillon adds lead to a sample page.',
      }),
      text: z.string(),
    }),
  ])
  .meta({ id: 'Preview' })
export type Preview = z.infer<typeof Preview>

/** The channel; by default the first of the message's plan. */
export const TestSend = z.strictObject({ channel: Channel.optional() }).meta({ id: 'TestSend' })
export type TestSend = z.infer<typeof TestSend>

/** The provider accepted the test message. */
export const TestSent = z.object({ sent: z.literal(true), channel: Channel }).meta({ id: 'TestSent' })
export type TestSent = z.infer<typeof TestSent>
