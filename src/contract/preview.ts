import { z } from 'zod'
import { CanonicalMessage } from './canonical-message.ts'
import { Channel } from './common.ts'
import { Violation } from './dry-run.ts'
import { locales } from './localised-text.ts'

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
