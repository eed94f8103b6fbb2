import { ServiceError } from '../../contract/errors.ts'
import type { CreateMessage } from '../../contract/messages/create.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { listVariableNames } from '../../db/queries/catalogue/template.ts'
import type { NewMessage } from '../../db/queries/message/message.ts'
import { findReferences, type References } from '../../db/queries/message/references.ts'
import { type ChannelPlan, narrowPlan } from '../../domain/content/channel-plan.ts'
import { titleOf } from '../../domain/content/title.ts'
import { draftOf } from '../../domain/message/draft.ts'
import { checkTimes } from '../../domain/message/times.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import { assertNoneFixed, enabledCategory } from '../catalogue/categories.ts'
import { assertActive, assertMayHaveTopic } from '../catalogue/topics.ts'
import type { Services } from '../context.ts'
import { unknownReference, validationError } from '../validation-error.ts'
import { contentOf, type RenderedSources } from './prepare.ts'
import { assertMayReach } from './rights.ts'

/** The columns of a message that its body decides; the others are author, unit and key. */
export type Draft = Omit<
  NewMessage,
  'unitId' | 'idempotencyKey' | 'bodyHash' | 'origin' | 'createdBy' | 'copyOf' | 'authors'
>

/** A draft, what a submit in the same transaction renders it from, and when what it refers to was read. */
export type DraftWithSources = { draft: Draft; sources: RenderedSources } & Pick<References, 'now'>

/**
 * Checks a body that somebody writes, whatever becomes of it: a new message, a change, what is not stored, an occurrence
 * of a schedule. First the rights of the caller, then what the body refers to. `lookups`: that, where it is at hand.
 * `checksVariables`: they are the caller's; those of a stored body may be of an earlier version of the template.
 * @throws ServiceError category_not_allowed, individual_targeting_disabled, audience_dimension_not_allowed,
 *   fixed_category, validation_error, and as `renderDraftOf` does
 */
export async function checkBody(
  services: Pick<Services, 'rendering'> & { db: Db },
  principal: Principal,
  unitId: string,
  body: CreateMessage,
  { lookups, checksVariables = true }: { lookups?: References; checksVariables?: boolean } = {},
): Promise<DraftWithSources> {
  assertMayReach(principal, body.categoryId, body.audience)
  await assertNoneFixed(services.db, body.messages)
  const references = lookups ?? (await findReferences(services.db, { ...body, unitId }))
  if (checksVariables) await assertKnownVariables(services.db, body, references)
  return renderDraftOf(services, body, references)
}

/**
 * Checks a well-formed body against what it refers to, and then against the clock (docs/design/content-and-drafts.md).
 * @throws ServiceError not_found, topic_inactive, validation_error, missing_variable, remind_before_send,
 *   remind_after_expiry; RetryLater
 */
export async function renderDraftOf(
  services: Pick<Services, 'rendering'>,
  body: CreateMessage,
  lookups: References,
): Promise<DraftWithSources> {
  const category = enabledCategory(lookups.category, body.categoryId)
  assertMayHaveTopic(body.topicId, category.layer)
  assertTopic(body, lookups)
  const channelPlan = planOf(body, category.channelPlan)
  const draft = draftOf(body)
  const template = templateOf(body, lookups)
  const content = await contentOf(services, lookups.unit, draft.request, template)
  assertTimes(body, lookups.now.getTime())
  const title = titleOf(content.messages, content.subject, category.name)
  return {
    draft: {
      ...draft,
      topicId: lookups.topic?.id ?? null,
      templateId: lookups.template?.id ?? null,
      title,
      channelPlan,
    },
    sources: { request: draft.request, template, unit: lookups.unit, category, content },
    now: lookups.now,
  }
}

/**
 * A variable that no version of the template has is a slip: what it was meant for would keep its default. Those of other
 * versions are no slips, so that producers need not change at the moment at which an approver changes the template.
 * @throws ServiceError validation_error
 */
export async function assertKnownVariables(
  db: Db,
  { templateId, variables = {} }: Pick<CreateMessage, 'templateId' | 'variables'>,
  { template }: Pick<References, 'template'>,
): Promise<void> {
  if (templateId === undefined || !template) return
  const names = template.variables.map(({ name }) => name)
  const others = Object.keys(variables).filter((name) => !names.includes(name))
  if (others.length === 0) return
  const ever = await listVariableNames(db, template.id)
  const unknown = others.filter((name) => !ever.includes(name))
  if (unknown.length === 0) return
  const rule = broken('not_one_of', { of: 'template_variables', values: names })
  throw validationError(unknown.map((name) => ({ path: `variables.${name}`, ...rule })))
}

function templateOf(body: CreateMessage, { template }: References) {
  if (body.templateId === undefined) return null
  if (template) return template
  throw unknownReference(
    'templateId',
    'template',
    `The unit has no template ${body.templateId}. See GET /v1/templates.`,
  )
}

function assertTopic(body: CreateMessage, { topic }: References): void {
  if (body.topicId === undefined) return
  if (!topic)
    throw unknownReference('topicId', 'topic', `The unit has no topic ${body.topicId}. See GET /v1/topics.`)
  assertActive(topic.status)
}

function planOf(body: CreateMessage, plan: ChannelPlan): ChannelPlan {
  const narrowed = narrowPlan(plan, body.channelPlanOverride)
  if (narrowed !== 'widens') return narrowed
  const rule = broken('wider_than_plan', { mode: plan.mode, values: plan.channels })
  throw validationError([{ path: 'channelPlanOverride', ...rule }])
}

function assertTimes(body: CreateMessage, now: number): void {
  const issue = checkTimes(
    { scheduleAt: ms(body.scheduleAt), expiresAt: ms(body.expiresAt), remindAt: ms(body.remindAt) },
    now,
  )
  if (!issue) return
  const { code, ...fault } = issue
  if (code === 'validation_error') throw validationError([fault])
  throw new ServiceError(code, `${fault.path} ${fault.message}.`, { issues: [fault] })
}

function ms(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time)
}
