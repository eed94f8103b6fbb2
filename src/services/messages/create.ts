import { ServiceError } from '../../contract/errors.ts'
import type { CreatedMessage, CreateMessage } from '../../contract/messages/create.ts'
import type { Db } from '../../db/connect.ts'
import { type AuditEntry, insertAudit } from '../../db/queries/audit/audit.ts'
import { listVariableNames } from '../../db/queries/catalogue/template.ts'
import { insertMessage, insertPlainMessage, type NewMessage } from '../../db/queries/message/message.ts'
import { findReferences, type References } from '../../db/queries/message/references.ts'
import { audienceRefusal, categoryRefusal } from '../../domain/audience/audience-rights.ts'
import { mutedCategories } from '../../domain/content/actions.ts'
import { type ChannelPlan, narrowPlan } from '../../domain/content/channel-plan.ts'
import { titleOf } from '../../domain/content/title.ts'
import { canonicalJson } from '../../domain/lib/canonical-json.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { checkTimes } from '../../domain/message/times.ts'
import { roleRefusal } from '../../domain/rights/permission.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { sha256 } from '../../signing.ts'
import { assertNoneFixed, enabledCategory } from '../catalogue/categories.ts'
import { assertActive, assertMayHaveTopic } from '../catalogue/topics.ts'
import type { Services } from '../context.ts'
import { unitOf } from '../unit-access.ts'
import { unknownReference, validationError } from '../validation-error.ts'
import { contentOf, type RenderedSources } from './prepare.ts'
import { assertMayAsk, assertMayReach } from './rights.ts'

/**
 * Creates a draft, once per unit and key (docs/design/content-and-drafts.md). A known key returns its message in its
 * current state. A draft has no run, so none is woken.
 * @throws ServiceError unit_required, idempotency_mismatch, forbidden, category_not_allowed,
 *   individual_targeting_disabled, audience_dimension_not_allowed, fixed_category, and what `draftOf` throws
 */
export async function createMessage(
  services: Services,
  principal: Principal,
  idempotencyKey: string,
  body: CreateMessage,
): Promise<CreatedMessage> {
  const unitId = unitOf(principal, body.unitId)
  const bodyHash = hashOf(body)
  if (isPlain(body) && mayCreate(principal, unitId, body)) {
    const { id, known } = await insertPlainMessage(services.db, {
      unitId,
      idempotencyKey,
      bodyHash,
      ...plainDraft(body),
      ...writtenBy(principal),
      title: titleOf(body.messages ?? [], body.subject ?? null, null),
    })
    if (id !== null) return { id, state: 'draft', created: true }
    if (known) return replay(known, bodyHash)
  }
  return createOnce(services, principal, {
    unitId,
    idempotencyKey,
    bodyHash,
    references: body,
    bodyAt: () => body,
  })
}

/**
 * Whether nothing in a body has to be compared with what it refers to, nor with the clock: only its category is looked
 * up.
 */
function isPlain({ messages, audience, ...body }: CreateMessage): boolean {
  const times = body.scheduleAt ?? body.expiresAt ?? body.remindAt
  const given = times ?? body.templateId ?? body.topicId ?? body.channelPlanOverride
  return given === undefined && audience.kind !== 'individual' && mutedCategories(messages ?? []).length === 0
}

function mayCreate(principal: Principal, unitId: string, { categoryId, audience }: CreateMessage): boolean {
  const refusals = [
    roleRefusal(principal, 'create', unitId),
    categoryRefusal(principal, categoryId),
    audienceRefusal(principal, audience),
  ]
  return refusals.every((refusal) => refusal === null)
}

/** A draft to create. `bodyAt`: its body, once it is known that no message has the key; `now` in ms since the epoch. */
type NewDraft = {
  unitId: string
  idempotencyKey: string
  bodyHash: Buffer
  references: Pick<CreateMessage, 'categoryId' | 'templateId' | 'topicId'>
  bodyAt(now: number): CreateMessage
  /** Throws if the caller may not read what the draft is made of. */
  mayRead?(): Promise<void>
  copyOf?: NonNullable<NewMessage['copyOf']>
}

/**
 * Creates a draft, or returns the message that has the key already.
 * @throws ServiceError as `createMessage` does, and what `bodyAt` throws
 */
export async function createOnce(
  services: Services,
  principal: Principal,
  { unitId, idempotencyKey, bodyHash, references, mayRead, bodyAt, copyOf }: NewDraft,
): Promise<CreatedMessage> {
  const lookUp = () => findReferences(services.db, referencesOf(references, unitId, idempotencyKey))
  const lookups = await lookUp()
  if (lookups.known) return replay(lookups.known, bodyHash)
  assertMayAsk(principal, 'create', unitId)
  await mayRead?.()
  const body = bodyAt(lookups.now.getTime())
  assertMayReach(principal, body.categoryId, body.audience)
  await assertNoneFixed(services.db, body.messages)
  // A copy has the variables of its original, whose template may have changed since.
  if (copyOf === undefined) await assertKnownVariables(services.db, body, lookups)

  const id = await insert(services.db, {
    ...(await draftOf(services, unitId, body, lookups)),
    unitId,
    idempotencyKey,
    bodyHash,
    ...writtenBy(principal),
    ...(copyOf !== undefined && { copyOf }),
  })
  if (id !== undefined) return { id, state: 'draft', created: true }
  // A concurrent request with the same key has committed: its row is the answer.
  return replay((await lookUp()).known!, bodyHash)
}

function writtenBy(principal: Principal) {
  const origin = principal.kind === 'producer' ? ('api' as const) : ('console' as const)
  return { origin, createdBy: actorOf(principal) }
}

/** Ignores key order, white space, and the unit, which is the scope of the key. */
function hashOf({ unitId: _, ...body }: CreateMessage): Buffer {
  return sha256(canonicalJson(body))
}

/** The references of a body for `findReferences`; a malformed id is null. */
export function referencesOf(
  body: Pick<CreateMessage, 'categoryId' | 'templateId' | 'topicId'>,
  unitId: string,
  idempotencyKey: string | null,
) {
  const { categoryId, templateId, topicId } = body
  return {
    unitId,
    idempotencyKey,
    categoryId,
    templateId: idOrNull(templateId),
    topicId: idOrNull(topicId),
  }
}

function replay(known: NonNullable<References['known']>, bodyHash: Buffer): CreatedMessage {
  if (known.bodyHash !== bodyHash.toString('hex'))
    throw new ServiceError(
      'idempotency_mismatch',
      'This Idempotency-Key was used with a different body. Use a new key for a new message.',
      { id: known.id },
    )
  return { id: known.id, state: known.state, created: false }
}

/** The columns of a message that its body decides; the others are author, unit and key. */
export type Draft = Omit<
  NewMessage,
  'unitId' | 'idempotencyKey' | 'bodyHash' | 'origin' | 'createdBy' | 'copyOf'
>

/**
 * Checks a well-formed body against what it refers to, and then against the clock (docs/design/content-and-drafts.md).
 * @throws ServiceError not_found, topic_inactive, validation_error, missing_variable, remind_before_send,
 *   remind_after_expiry; RetryLater
 */
export async function draftOf(
  services: Pick<Services, 'rendering'>,
  unitId: string,
  body: CreateMessage,
  lookups: References,
): Promise<Draft> {
  return (await renderDraftOf(services, unitId, body, lookups)).draft
}

/** A draft, and what it was made of. */
export type DraftWithSources = { draft: Draft; sources: RenderedSources }

/**
 * The same, with what a submit in the same transaction renders it from.
 * @throws ServiceError as `draftOf` does
 */
export async function renderDraftOf(
  services: Pick<Services, 'rendering'>,
  unitId: string,
  body: CreateMessage,
  lookups: References,
): Promise<DraftWithSources> {
  const category = enabledCategory(lookups.category, body.categoryId)
  assertMayHaveTopic(body.topicId, category.layer)
  assertTopic(body, lookups)
  const channelPlan = planOf(body, category.channelPlan)
  const draft = plainDraft(body)
  const template = templateOf(body, lookups)
  const content = await contentOf(services, unitId, draft.request, template)
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
  const known = template.variables.map(({ name }) => name)
  const others = Object.keys(variables).filter((name) => !known.includes(name))
  if (others.length === 0) return
  const ever = await listVariableNames(db, template.id)
  const unknown = others.filter((name) => !ever.includes(name))
  if (unknown.length === 0) return
  const message = `must be a variable of the template: ${known.join(', ') || 'it has none'}`
  throw validationError(unknown.map((name) => ({ path: `variables.${name}`, message })))
}

/** The columns that the body decides by itself. */
function plainDraft(body: CreateMessage): Omit<Draft, 'title' | 'channelPlan'> {
  const { messages, subject, templateId, variables, calendar } = body
  return {
    kind: body.kind ?? (body.audience.kind === 'individual' ? 'personal' : 'broadcast'),
    categoryId: body.categoryId,
    topicId: null,
    templateId: null,
    reference: body.reference ?? null,
    audience: body.audience,
    planOverride: body.channelPlanOverride ?? null,
    scheduleAt: body.scheduleAt ?? null,
    expiresAt: body.expiresAt ?? null,
    remindAt: body.remindAt ?? null,
    remindTo: body.remindTo ?? 'all',
    pace: body.pace ?? null,
    request: { messages, subject, templateId, variables, calendar },
  }
}

function templateOf(body: CreateMessage, { template }: References) {
  if (body.templateId === undefined) return null
  if (template) return template
  throw unknownReference(
    'templateId',
    'a template of the unit',
    `The unit has no template ${body.templateId}. See GET /v1/templates.`,
  )
}

function assertTopic(body: CreateMessage, { topic }: References): void {
  if (body.topicId === undefined) return
  if (!topic)
    throw unknownReference(
      'topicId',
      'a topic of the unit',
      `The unit has no topic ${body.topicId}. See GET /v1/topics.`,
    )
  assertActive(topic.status)
}

function planOf(body: CreateMessage, plan: ChannelPlan): ChannelPlan {
  const narrowed = narrowPlan(plan, body.channelPlanOverride)
  if (narrowed !== 'widens') return narrowed
  const message = `may only narrow the category's plan: ${plan.mode} of ${plan.channels.join(', ')}`
  throw validationError([{ path: 'channelPlanOverride', message }])
}

function assertTimes(body: CreateMessage, now: number): void {
  const issue = checkTimes(
    { scheduleAt: ms(body.scheduleAt), expiresAt: ms(body.expiresAt), remindAt: ms(body.remindAt) },
    now,
  )
  if (!issue) return
  const { code, path, message } = issue
  if (code === 'validation_error') throw validationError([{ path, message }])
  throw new ServiceError(code, `${path} ${message}.`, { issues: [{ path, message }] })
}

function ms(time: string | undefined): number | null {
  return time === undefined ? null : Date.parse(time)
}

/** An audience of individuals is audited in the same transaction as the message. */
async function insert(db: Db, message: NewMessage): Promise<string | undefined> {
  if (message.audience.kind !== 'individual') return insertMessage(db, message)
  return db.transaction().execute(async (trx) => {
    const id = await insertMessage(trx, message)
    for (const entry of id === undefined ? [] : individualEntries(id, message, message.createdBy))
      await insertAudit(trx, entry)
    return id
  })
}

/** What the audit log says of a message to an audience of individuals: the count, never the uids. */
export function individualEntries(
  id: string,
  { unitId, audience }: Pick<NewMessage, 'unitId' | 'audience'>,
  actor: string,
): AuditEntry[] {
  if (audience.kind !== 'individual') return []
  return [targetingEntry({ id, unitId, count: audience.uids.length, actor })]
}

/** The audit entry of a message that targets so many individuals. */
export function targetingEntry({
  id,
  unitId,
  count,
  actor,
}: {
  id: string
  unitId: string
  count: number
  actor: string
}): AuditEntry {
  return {
    unitId,
    actor,
    action: 'individual_targeting',
    objectKind: 'message',
    objectId: id,
    details: { count },
  }
}
