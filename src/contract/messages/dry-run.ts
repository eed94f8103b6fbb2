import { z } from 'zod'
import { Channel, CountByChannel } from '../common.ts'
import { type Exclusion, locales } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { CanonicalMessage } from './content.ts'

const count = z.int().min(0)

/** Something that a channel cannot carry; `path` leads into the producer's messages (`messages[0].cards[2].title.en`). */
export const Violation = z
  .object({ path: z.string(), code: z.string(), limit: z.number().optional(), message: LocalisedText })
  .meta({ id: 'Violation' })

/** Pushes count recipients times provider calls; both remainders are of the month of the send. */
export const QuotaForecast = z
  .object({
    estimatedPushes: count.meta({ description: 'Of the send; a reminder costs at most the same again.' }),
    unitRemaining: count,
    poolRemaining: count,
    wouldExceed: z
      .boolean()
      .meta({ description: 'Do unit and pool together fall short of the send, or of it and its reminder?' }),
  })
  .meta({ id: 'QuotaForecast' })

/**
 * People: total + Σ excluded (+ frequency) = people named; `unknown` are uids that name nobody. byChannel counts
 * deliveries.
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
      .meta({ description: 'Only where the category has a frequency cap: people who have had their share.' }),
  })
  .meta({ id: 'Recipients' })

/** The dry-run result: numbers only, never people. */
export const DryRun = z
  .object({
    recipients: Recipients,
    quota: z.partialRecord(Channel, QuotaForecast),
    violations: z.array(Violation),
  })
  .meta({ id: 'DryRun' })
export type DryRun = z.infer<typeof DryRun>

/** The dry-run that submit stored, and when. */
export const StoredDryRun = DryRun.extend({ at: z.iso.datetime() }).meta({ id: 'StoredDryRun' })

/** Which reader's view: the language and the channel. */
export const PreviewMessage = z
  .strictObject({ locale: z.enum(locales).default('zh-TW'), channel: Channel })
  .meta({ id: 'PreviewMessage' })
export type PreviewMessage = z.infer<typeof PreviewMessage>

/**
 * The same for every channel: the messages with the template's variables filled in, and what the channel cannot
 * carry.
 */
const shared = {
  locale: z.enum(locales),
  messages: z.array(CanonicalMessage),
  violations: z.array(Violation),
}

/** What a reader will get. In chat `calls` are the provider's own messages, by the call that sends them. */
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
      html: z
        .string()
        .meta({ description: 'A whole page. Links of ours lead to a page that explains itself.' }),
      text: z.string(),
    }),
  ])
  .meta({ id: 'Preview' })
export type Preview = z.infer<typeof Preview>

/** By which channel; left out: the first of the message's plan. */
export const TestSend = z.strictObject({ channel: Channel.optional() }).meta({ id: 'TestSend' })
export type TestSend = z.infer<typeof TestSend>

/** The provider has taken it. */
export const TestSent = z.object({ sent: z.literal(true), channel: Channel }).meta({ id: 'TestSent' })
export type TestSent = z.infer<typeof TestSent>
