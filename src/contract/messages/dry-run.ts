import { z } from 'zod'
import { Channel, CountByChannel, Instant, Locale } from '../common.ts'
import type { Exclusion } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { CanonicalMessage } from './content.ts'
import { RemindTo } from './enum-schemas.ts'

const count = z.int().min(0)

export const Violation = z
  .object({
    path: z.string().describe("Where, in the producer's own messages: `messages[0].cards[2].title.en`."),
    code: z
      .string()
      .describe(
        'What is wrong, such as `too_long`, `https_required`, `invisible_character` or `unknown_reference`. ' +
          '/docs/api/messages lists all codes.',
      ),
    limit: z.number().optional().describe('The limit that is exceeded, where there is one, in its own unit.'),
    message: LocalisedText.describe('What is wrong and what to do, in both languages, for people.'),
  })
  .meta({
    id: 'Violation',
    description:
      'Content that a channel cannot carry or no channel may, or, as a warning, what may surprise its author.',
  })

const QuotaForecast = z
  .object({
    estimatedPushes: count.describe(
      'Pushes for the send: recipients times provider calls. The cost of a reminder is in `reminder`.',
    ),
    unitRemaining: count.describe(
      "What is left of the unit's own quota in the month of the send, in pushes.",
    ),
    poolRemaining: count.describe('What is left of the pool that all units share, in pushes.'),
    pushesPerPerson: count.describe('Pushes for one recipient: the provider calls that the content needs.'),
    wouldExceed: z
      .boolean()
      .describe('Whether unit and pool together cannot cover the send, including its reminder.'),
  })
  .meta({
    id: 'QuotaForecast',
    description: 'What the message costs on one channel, and what is left there.',
  })

const Excluded = z.object({
  noConsent: count.describe("Without an active consent for the category's scope."),
  noAddress: count.describe('Without an address that can be sent to.'),
  preferenceOff: count.describe('Subjects who have turned the category off or unsubscribed from the topic.'),
  blocked: count.describe('Subjects who have blocked the account, or whose address is suppressed.'),
} satisfies Record<Exclusion, z.ZodType>)

const Recipients = z
  .object({
    total: count.describe('Subjects who will receive the message.'),
    byChannel: CountByChannel.describe('Deliveries by channel. A subject may have one on each.'),
    byLocale: z
      .partialRecord(Locale, count)
      .describe('The same subjects by the language in which they read.'),
    excluded: Excluded.describe('Subjects who receive nothing on any channel, each counted once, by reason.'),
    excludedByChannel: z
      .partialRecord(Channel, Excluded)
      .describe(
        'Subjects excluded on a channel of the plan, by reason, whether or not another channel reaches them.',
      ),
    unknownUids: count.describe('Uids of the audience that belong to no subject.'),
    frequency: count
      .optional()
      .describe('Subjects who have reached the frequency cap. Only if the category has one.'),
  })
  .meta({
    id: 'Recipients',
    description:
      'Counts of subjects: `total`, all `excluded` and `frequency` together are the subjects that the ' +
      'audience matches.',
  })

export const DryRun = z
  .object({
    recipients: Recipients.describe('How many it reaches, and how many not, by reason.'),
    quota: z.partialRecord(Channel, QuotaForecast).describe('What it costs, by channel of the plan.'),
    reminder: z
      .object({
        at: Instant.describe('When it is sent, in UTC.'),
        to: RemindTo.describe('Its recipients.'),
        pushes: CountByChannel.describe(
          'Its maximum cost by channel, in addition to that of the send: recipients who will decline it, ' +
            'or answer where only the others are reminded, are not known yet.',
        ),
      })
      .optional()
      .describe('The reminder. Omitted: none, or its time has passed.'),
    pace: z
      .object({
        perMinute: count.describe('Deliveries a minute, rounded up.'),
        lastAt: Instant.describe('When the last recipient is sent to, if the send begins on time, in UTC.'),
      })
      .optional()
      .describe('What the pace of the message makes of the send. Omitted: it has none.'),
    violations: z
      .array(Violation)
      .describe('What must be changed before the message can be submitted. Empty: nothing.'),
    warnings: z
      .array(Violation)
      .describe(
        'Content that can be sent, but may not do what its author expects: `no_scenario`, a `nextNode` ' +
          'button in a message outside a scenario; `scenario_not_active`, a button that begins a scenario which starts ' +
          'nothing now; `host_from_values` and `invisible_dropped`, values of variables that bring addresses or ' +
          'invisible characters; `no_english`, texts without English, if recipients read English; `pace_past_expiry` and ' +
          '`pace_past_reminder`, a pace too slow for the other times; `schedule_past`, a scheduleAt that has passed.',
      ),
  })
  .meta({ id: 'DryRun', description: 'A forecast of the send in numbers only, never individuals.' })
export type DryRun = z.infer<typeof DryRun>

export const StoredDryRun = DryRun.extend({
  at: z.iso.datetime().describe('When it was made, in UTC.'),
}).meta({
  id: 'StoredDryRun',
  description: 'The dry-run that submit stored, for which the message is approved.',
})

export const PreviewMessage = z
  .strictObject({
    locale: Locale.default('zh-TW').describe("The recipient's language. Default: zh-TW."),
    channel: Channel.describe("The channel to preview: one of the message's plan."),
  })
  .meta({ id: 'PreviewMessage', description: 'The language and channel to preview.' })
export type PreviewMessage = z.infer<typeof PreviewMessage>

/** The same as parameters, where the body is a message. */
export const PreviewQuery = z.object(PreviewMessage.shape)

/** Common to every channel: the messages with template variables filled in, and what the channel cannot carry. */
const shared = {
  locale: Locale.describe('The language of the preview.'),
  messages: z
    .array(CanonicalMessage)
    .describe('The blocks, with template variables filled in, in both languages.'),
  violations: z.array(Violation).describe('What this channel cannot carry.'),
}
const chatContent = {
  calls: z
    .array(z.array(z.record(z.string(), z.unknown())))
    .describe(
      "The provider's message objects, grouped by the call that sends them. Each call costs a push for each recipient.",
    ),
}
const mailContent = {
  subject: z.string().describe('The subject of the mail.'),
  html: z.string().describe('A complete HTML page. Links that Carillon adds lead to a sample page.'),
  text: z.string().describe('The same in plain text.'),
}
const reminderDescription =
  'What the reminder shows: the same content without the offer to decline it. Omitted without `remindAt`.'

export const Preview = z
  .discriminatedUnion('channel', [
    z
      .object({
        channel: z.literal('chat').describe('The chat.'),
        ...shared,
        ...chatContent,
        reminder: z.object(chatContent).optional().describe(reminderDescription),
      })
      .meta({ id: 'ChatPreview', description: 'What a recipient sees in the chat.' }),
    z
      .object({
        channel: z.literal('email').describe('Mail.'),
        ...shared,
        ...mailContent,
        reminder: z
          .object(mailContent)
          .optional()
          .describe(`${reminderDescription} Its subject begins with 提醒： or Reminder:.`),
      })
      .meta({ id: 'EmailPreview', description: 'What a recipient sees in a mail.' }),
  ])
  .meta({ id: 'Preview', description: 'What a recipient sees in one language on one channel.' })
export type Preview = z.infer<typeof Preview>

export const TestSend = z
  .strictObject({
    channel: Channel.optional().describe("One of the channels of the message's plan. Default: the first."),
  })
  .meta({ id: 'TestSend', description: 'Where to send the test.' })
export type TestSend = z.infer<typeof TestSend>

export const TestSent = z
  .object({
    sent: z.literal(true).describe('Always true: what the provider rejects is an error.'),
    channel: Channel.describe('The channel on which it was sent.'),
  })
  .meta({ id: 'TestSent', description: 'The provider accepted the test message.' })
export type TestSent = z.infer<typeof TestSent>

/** The details of a test message that the provider rejected. */
export const RejectedTest = z
  .looseObject({
    code: z.string().describe("Why the provider rejected it: Carillon's keyword, or the provider's code."),
  })
  .meta({
    description:
      'Why the message was rejected. Omitted if the provider rejected the installation, or its quota is exhausted.',
    examples: [{ code: 'http_400' }],
  })
  .optional()
