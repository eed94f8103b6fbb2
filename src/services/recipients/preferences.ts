import { byChannel } from '../../channels/facts/by-channel.ts'
import { type Channel, channels } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { broken } from '../../contract/rules.ts'
import type { ChangePreferences, Preferences } from '../../contract/subjects/recipients.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { announcePreferences, type SwitchedPreferences } from '../../db/queries/callback/objects.ts'
import { setPreferences, unsubscribeTopic, withdrawConsent } from '../../db/queries/subject/consent.ts'
import {
  type Choices,
  findChoices,
  lockSubject,
  resubscribeTopic,
  setLanguage,
} from '../../db/queries/subject/preference.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { type RecipientPrincipal, recipientActor } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { unknownReference } from '../validation-error.ts'

/**
 * The caller's preferences: every enabled category by channel, the active topics of units that have written to the
 * caller, the language.
 */
export async function getPreferences(
  { db }: Services,
  { subjectId }: RecipientPrincipal,
): Promise<Preferences> {
  return preferencesOf(existingChoices(await findChoices(db, subjectId)))
}

/**
 * Changes the given preferences; others are unchanged.
 * @throws ServiceError not_found for an unknown category or topic; fixed_category for turning off a mandatory one
 */
export async function putPreferences(
  { db }: Services,
  { subjectId }: RecipientPrincipal,
  change: ChangePreferences,
): Promise<Preferences> {
  return db.transaction().execute(async (trx) => {
    await changePreferences(trx, subjectId, change)
    return preferencesOf(existingChoices(await findChoices(trx, subjectId)))
  })
}

/**
 * Changes preferences in the caller's transaction; also for links in mails and buttons in the chat. Writes only what
 * differs, with an audit row if anything does.
 * @throws ServiceError as `putPreferences`
 */
export async function changePreferences(
  trx: Trx,
  subjectId: string,
  { language, categories = {}, topics = {} }: ChangePreferences,
): Promise<void> {
  await lockSubject(trx, subjectId)
  const before = existingChoices(await findChoices(trx, subjectId))
  const switched = switchedCategories(before, categories)
  const topicChanges = changedTopics(before, topics)
  const translated = language !== undefined && language !== before.language
  if (translated) await setLanguage(trx, subjectId, language)
  if (switched.length > 0)
    await setPreferences(
      trx,
      switched.map((one) => ({ subjectId, ...one })),
    )
  for (const { id, on } of topicChanges)
    await (on ? resubscribeTopic(trx, id, subjectId) : unsubscribeTopic(trx, id, [subjectId]))

  const changed = [
    ...(translated ? ['language'] : []),
    ...(switched.length > 0 ? ['categories'] : []),
    ...(topicChanges.length > 0 ? ['topics'] : []),
  ]
  if (changed.length === 0) return
  const subject = { unitId: null, objectKind: 'subject', objectId: subjectId } as const
  await insertAudit(trx, {
    ...subject,
    actor: recipientActor(subjectId),
    action: 'preferences',
    details: { changed },
  })
  await announcePreferences(trx, subjectId, {
    categories: byCategory(switched),
    topics: Object.fromEntries(topicChanges.map(({ id, on }) => [id, on])),
    ...(translated && { language }),
  })
}

function byCategory(switched: readonly Switched[]): SwitchedPreferences['categories'] {
  const byId: SwitchedPreferences['categories'] = {}
  for (const { categoryId, channel, enabled } of switched)
    byId[categoryId] = { ...byId[categoryId], [channel]: enabled }
  return byId
}

/**
 * Withdraws a person's own consent, which batches claimed from now on respect. Idempotent; it cannot be given again
 * here (docs/design/links.md).
 */
export async function withdrawOwnConsent(trx: Trx, subjectId: string, scope: string): Promise<void> {
  await lockSubject(trx, subjectId)
  if (!(await withdrawConsent(trx, subjectId, scope))) return
  const subject = { unitId: null, objectKind: 'subject', objectId: subjectId } as const
  const actor = recipientActor(subjectId)
  await insertAudit(trx, { ...subject, actor, action: 'withdraw_consent', details: { scope } })
}

type Switched = { categoryId: string; channel: Channel; enabled: boolean }

function switchedCategories(
  before: Choices,
  wanted: NonNullable<ChangePreferences['categories']>,
): Switched[] {
  const byId = new Map(before.categories.map((category) => [category.id, category]))
  return Object.entries(wanted).flatMap(([categoryId, switched]) => {
    const category = byId.get(categoryId)
    if (!category)
      throw unknownReference(
        `categories.${categoryId}`,
        'listed_category',
        `There is no category ${categoryId}. GET lists those you can choose.`,
      )
    if (category.mandatory && channels.some((channel) => switched[channel] === false)) throw fixed(categoryId)
    return channels.flatMap((channel) => {
      const enabled = switched[channel]
      return enabled === undefined || enabled === category[channel] ? [] : [{ categoryId, channel, enabled }]
    })
  })
}

function changedTopics(before: Choices, wanted: Record<string, boolean>): { id: string; on: boolean }[] {
  const byId = new Map(before.topics.map((topic) => [topic.id, topic]))
  return Object.entries(wanted).flatMap(([named, on]) => {
    const topic = byId.get(idOrNull(named) ?? named)
    if (!topic)
      throw unknownReference(
        `topics.${named}`,
        'listed_topic',
        `You have no topic ${named}. GET lists those you can choose.`,
      )
    return topic.on === on ? [] : [{ id: topic.id, on }]
  })
}

function fixed(categoryId: string): ServiceError {
  const path = `categories.${categoryId}`
  return new ServiceError(
    'fixed_category',
    'Mandatory notifications go to everyone they concern and cannot be turned off. Omit this category.',
    { issues: [{ path, ...broken('mandatory_category') }] },
  )
}

function preferencesOf(choices: Choices): Preferences {
  const categories = choices.categories.filter(({ enabled }) => enabled)
  const topics = choices.topics.filter(({ active }) => active)
  return {
    language: choices.language,
    categories: Object.fromEntries(
      categories.map(({ id, mandatory, consent, ...category }) => {
        const on = byChannel((_, channel) => category[channel])
        return [id, { ...on, mandatory, needsConsent: consent?.given === false }]
      }),
    ),
    topics: Object.fromEntries(topics.map(({ id, on }) => [id, on])),
    names: { categories: namesOf(categories), topics: namesOf(topics) },
  }
}

function namesOf(choices: { id: string; name: LocalisedText }[]): Record<string, LocalisedText> {
  return Object.fromEntries(choices.map(({ id, name }) => [id, name]))
}

/** The choices, unless the caller was erased after authentication. */
function existingChoices(choices: Choices | undefined): Choices {
  if (choices) return choices
  throw new ServiceError(
    'not_found',
    'Your data has been erased. There are no preferences to read or change.',
  )
}
