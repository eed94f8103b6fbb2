import { z } from 'zod'
import { Id, Instant, isChange, mustChange, oneOrMore, PageQuery, pageOf, UnitId } from '../common.ts'
import { topicStatuses } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText, withoutEmptyEnglish } from '../localised-text.ts'

const status = z
  .enum(topicStatuses)
  .describe('`inactive`: messages of the topic can be neither created nor submitted.')

export const Topic = z
  .object({
    id: Id.describe('The id of the topic.'),
    unitId: Id.describe('The unit that it belongs to.'),
    name: LocalisedText.describe('Its name, as recipients see it.'),
    status,
    createdAt: Instant.describe('When it was created, in UTC.'),
  })
  .meta({
    id: 'Topic',
    description: 'A theme that a unit writes about. Recipients can unsubscribe from each one separately.',
  })
export type Topic = z.infer<typeof Topic>

const name = z.string().trim().min(1).max(limits.topicNameLength)

const TopicName = z
  .strictObject({
    'zh-TW': name.describe(
      `Traditional Chinese as written in Taiwan, 1 to ${limits.topicNameLength} characters.`,
    ),
    en: z
      .string()
      .trim()
      .max(limits.topicNameLength)
      .optional()
      .describe(
        `English, at most ${limits.topicNameLength} characters. Omitted or empty: readers of English get the Chinese name.`,
      ),
  })
  .overwrite(withoutEmptyEnglish)
  .meta({
    id: 'TopicName',
    description:
      'The name of a topic, as recipients read it among others: neither blank nor with invisible characters.',
  })

export const CreateTopic = z
  .strictObject({
    unitId: UnitId,
    name: TopicName.describe('Its name, as recipients see it.'),
    status: status
      .optional()
      .describe('`active` by default. Messages of an inactive topic cannot be created.'),
  })
  .meta({ id: 'CreateTopic', description: 'A new topic.' })
export type CreateTopic = z.infer<typeof CreateTopic>

export const EditTopic = z
  .strictObject({
    name: TopicName.optional().describe('Its name, as recipients see it.'),
    status: status.optional(),
  })
  .refine(isChange, mustChange)
  .meta({
    id: 'EditTopic',
    minProperties: 1,
    description: 'Changes to a topic, at least one. Omitted fields are unchanged.',
    examples: [{ status: 'inactive' }],
  })
export type EditTopic = z.infer<typeof EditTopic>

export const TopicPage = pageOf(Topic).meta({
  id: 'TopicPage',
  description: "One page of a unit's topics, newest first.",
})
export type TopicPage = z.infer<typeof TopicPage>

/** Sessions of people in several units must pass unitId. */
export const TopicListQuery = PageQuery.extend({
  unitId: UnitId,
  status: oneOrMore(status)
    .optional()
    .describe('Only topics with this status. May be repeated. Omitted: all.'),
})
export type TopicListQuery = z.infer<typeof TopicListQuery>
