import { ServiceError } from '../../contract/errors.ts'
import type { CreateMessage } from '../../contract/messages/create.ts'
import type { NewMessage } from '../../db/queries/message/message.ts'
import type { Lookups } from '../../db/queries/message/references.ts'
import { type ChannelPlan, narrow } from '../../domain/channel-plan.ts'
import { checkTimes } from '../../domain/times.ts'
import { titleOf } from '../../domain/title.ts'
import { invalid, unknownReference } from '../invalid.ts'
import { contentOf } from './content.ts'

/** What a body decides of a message; the rest is who wrote it, where and under which key. */
export type Draft = Omit<NewMessage, 'unitId' | 'idempotencyKey' | 'bodyHash' | 'origin' | 'createdBy'>

/**
 * Holds a well-formed body against what it refers to and against the clock (design 3, Checks at create: look-ups first,
 * then what depends on the time).
 * @throws ServiceError not_found, topic_inactive, validation_error, missing_variable, remind_before_send,
 *   remind_after_expiry
 */
export function draftOf(body: CreateMessage, lookups: Lookups): Draft {
  const category = categoryOf(body, lookups)
  assertTopic(body, lookups)
  const channelPlan = planOf(body, category.channelPlan)
  const request = { messages: body.messages, templateId: body.templateId, variables: body.variables }
  const content = contentOf(request, templateOf(body, lookups))
  assertTimes(body, lookups.now.getTime())
  return {
    kind: body.kind ?? (body.audience.kind === 'individual' ? 'personal' : 'broadcast'),
    categoryId: body.categoryId,
    topicId: lookups.topic?.id ?? null,
    templateId: lookups.template?.id ?? null,
    title: titleOf(content.messages, content.subject, category.name),
    audience: body.audience,
    channelPlan,
    planOverride: body.channelPlanOverride ?? null,
    scheduleAt: body.scheduleAt ?? null,
    expiresAt: body.expiresAt ?? null,
    remindAt: body.remindAt ?? null,
    request,
  }
}

function categoryOf(body: CreateMessage, { category }: Lookups) {
  if (category?.enabled) return category
  throw unknownReference('categoryId', `There is no category ${body.categoryId}. See GET /v1/categories.`)
}

function templateOf(body: CreateMessage, { template }: Lookups) {
  if (body.templateId === undefined) return null
  if (template) return template
  throw unknownReference('templateId', `The unit has no template ${body.templateId}. See GET /v1/templates.`)
}

function assertTopic(body: CreateMessage, { topic }: Lookups): void {
  if (body.topicId === undefined) return
  if (!topic) throw unknownReference('topicId', `The unit has no topic ${body.topicId}. See GET /v1/topics.`)
  if (topic.status !== 'active')
    throw new ServiceError('topic_inactive', 'This topic is inactive. Use another, or make it active again.')
}

function planOf(body: CreateMessage, plan: ChannelPlan): ChannelPlan {
  const narrowed = narrow(plan, body.channelPlanOverride)
  if (narrowed !== 'widens') return narrowed
  const message = `may only narrow the category's plan: ${plan.mode} of ${plan.channels.join(', ')}`
  throw invalid([{ path: 'channelPlanOverride', message }])
}

function assertTimes(body: CreateMessage, now: number): void {
  const issue = checkTimes(
    { scheduleAt: ms(body.scheduleAt), expiresAt: ms(body.expiresAt), remindAt: ms(body.remindAt) },
    now,
  )
  if (!issue) return
  const { code, path, message } = issue
  if (code === 'validation_error') throw invalid([{ path, message }])
  throw new ServiceError(code, `${path} ${message}.`)
}

function ms(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time)
}
