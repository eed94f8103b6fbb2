import { z } from 'zod'
import { Id, Instant, oneOrMore, PageQuery, pageOf } from '../common.ts'
import { topicStatuses } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText } from '../localised-text.ts'

const status = z.enum(topicStatuses)
const unitId = z
  .string()
  .optional()
  .meta({ description: 'Required for sessions of people in several units; ignored for producer keys.' })

/** A topic, from which recipients can unsubscribe separately. Messages of an inactive topic are rejected. */
export const Topic = z
  .object({ id: Id, unitId: Id, name: LocalisedText, status, createdAt: Instant })
  .meta({ id: 'Topic' })
export type Topic = z.infer<typeof Topic>

const name = z.string().min(1).max(limits.topicNameLength)

/** The name of a topic, as recipients read it among others. */
const TopicName = z.strictObject({ 'zh-TW': name, en: name.optional() }).meta({ id: 'TopicName' })

/** A new topic, active by default. */
export const CreateTopic = z
  .strictObject({ unitId, name: TopicName, status: status.optional() })
  .meta({ id: 'CreateTopic' })
export type CreateTopic = z.infer<typeof CreateTopic>

/** Omitted fields are unchanged. */
export const EditTopic = z
  .strictObject({ name: TopicName.optional(), status: status.optional() })
  .refine((patch) => Object.keys(patch).length > 0, 'must change at least one of name, status')
  .meta({ id: 'EditTopic', examples: [{ status: 'inactive' }] })
export type EditTopic = z.infer<typeof EditTopic>

/** One page of a unit's topics, newest first. */
export const TopicPage = pageOf(Topic).meta({ id: 'TopicPage' })
export type TopicPage = z.infer<typeof TopicPage>

/** Sessions of people in several units must pass unitId. */
export const TopicListQuery = PageQuery.extend({
  unitId: z.string().min(1).optional(),
  status: oneOrMore(status).optional(),
})
export type TopicListQuery = z.infer<typeof TopicListQuery>
