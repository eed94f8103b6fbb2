import { z } from 'zod'
import { Id, Instant, isChange, mustChange, oneOrMore, PageQuery, pageOf, UnitId } from '../common.ts'
import { topicStatuses } from '../enums.ts'
import { limits } from '../limits.ts'
import { LocalisedText, withoutEmptyEnglish } from '../localised-text.ts'

const status = z.enum(topicStatuses)

/** A topic, from which recipients can unsubscribe separately. Messages of an inactive topic are rejected. */
export const Topic = z
  .object({ id: Id, unitId: Id, name: LocalisedText, status, createdAt: Instant })
  .meta({ id: 'Topic' })
export type Topic = z.infer<typeof Topic>

const name = z.string().min(1).max(limits.topicNameLength)

/** The name of a topic, as recipients read it among others. */
const TopicName = z
  .strictObject({ 'zh-TW': name, en: z.string().max(limits.topicNameLength).optional() })
  .overwrite(withoutEmptyEnglish)
  .meta({ id: 'TopicName' })

/** A new topic, active by default. */
export const CreateTopic = z
  .strictObject({ unitId: UnitId, name: TopicName, status: status.optional() })
  .meta({ id: 'CreateTopic' })
export type CreateTopic = z.infer<typeof CreateTopic>

/** Omitted fields are unchanged. */
export const EditTopic = z
  .strictObject({ name: TopicName.optional(), status: status.optional() })
  .refine(isChange, mustChange)
  .meta({ id: 'EditTopic', examples: [{ status: 'inactive' }] })
export type EditTopic = z.infer<typeof EditTopic>

/** One page of a unit's topics, newest first. */
export const TopicPage = pageOf(Topic).meta({ id: 'TopicPage' })
export type TopicPage = z.infer<typeof TopicPage>

/** Sessions of people in several units must pass unitId. */
export const TopicListQuery = PageQuery.extend({
  unitId: UnitId,
  status: oneOrMore(status).optional(),
})
export type TopicListQuery = z.infer<typeof TopicListQuery>
