import { z } from 'zod'
import { pageOf } from '../common.ts'
import { approvalRules, layers, linkModes, unknownPolicies } from '../enums.ts'
import { LocalisedText } from '../localised-text.ts'
import { ChannelPlan } from '../messages/channel-plan.ts'

/** A category of messages and its rules (docs/api/administration.md, Categories). */
export const Category = z
  .object({
    id: z.string().describe('The id, as messages, templates and bindings name it. It never changes.'),
    name: LocalisedText.describe('Its name, as recipients see it.'),
    layer: z
      .enum(layers)
      .describe(
        '`mandatory` ignores preferences, topics, quiet hours and the frequency cap, never consent or a block. ' +
          '`service` and `promotional` obey all of them.',
      ),
    consentScope: z
      .string()
      .nullable()
      .describe('The scope of the consent that subjects must have given; null: none is required.'),
    channelPlan: ChannelPlan.describe('On which channels its messages are sent.'),
    approval_rule: z
      .enum(approvalRules)
      .describe('`auto`: the automatic check may approve its messages. `manual`: a person must.'),
    autoMaxRecipients: z
      .int()
      .describe('The largest audience that the automatic check may approve, in subjects.'),
    quietHours: z
      .object({
        from: z.string().describe('When they begin, as hh:mm in the time zone of the unit.'),
        to: z.string().describe('When they end, as hh:mm; before `from`: on the next day.'),
      })
      .nullable()
      .describe('Hours in which no send starts; one that is due waits until they end. null: none.'),
    frequencyCap: z
      .object({
        messages: z.int().describe('The most messages of the category to one subject.'),
        days: z.int().describe('In this many days.'),
      })
      .nullable()
      .describe('How often a subject may get messages of the category; null: no limit.'),
    onUnknown: z
      .enum(unknownPolicies)
      .describe('What happens to mail whose outcome is unknown: `keep` it as unknown, or `repeat` it once.'),
    acknowledgement: LocalisedText.nullable().describe(
      'What the chat answers a tap on a button or option of its messages, where `{label}` is the label that was tapped. ' +
        'null: nothing.',
    ),
    holdSeconds: z
      .int()
      .describe('How long, in seconds, a message waits after a person has approved it; 0: not at all.'),
    links: z
      .enum(linkModes)
      .describe(
        'Where the buttons of its messages that open a web page lead: `direct`: straight to their URL; `tracked`: ' +
          'through the hub, which counts clicks.',
      ),
    enabled: z.boolean().describe('Whether its messages can be created and submitted.'),
  })
  .meta({
    id: 'Category',
    description: 'A category of messages, for all units, and the rules for its messages.',
  })
export type Category = z.infer<typeof Category>

export const CategoryPage = pageOf(Category).meta({
  id: 'CategoryPage',
  description: 'One page of categories.',
})
export type CategoryPage = z.infer<typeof CategoryPage>
