import type { Channel } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAnswer } from '../../db/queries/answer/answer.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { insertAnswerCallbacks } from '../../db/queries/callback/answers.ts'
import { findOption, type Option } from '../../domain/content/option.ts'
import { recipientActor } from '../../domain/rights/principal.ts'
import { addMembers } from '../groups/members.ts'
import { idOrNull } from '../validation-error.ts'
import { changePreferences } from './preferences.ts'

/** A pressed button: option or action `o` of message `n` in the content, by a recipient. */
type TappedOption = {
  messageId: string
  unitId: string
  frozen: readonly CanonicalMessage[]
  subjectId: string
  channel: Channel
  n: number
  o: string
  /** When it was pressed, if not now. */
  at: Date | null
}

/**
 * Records a person's last answer to a question and reports it to the unit's callbacks, then performs its button's action,
 * for links in mails and taps in the chat alike. The action comes from the frozen content, so a caller gets only what was offered. Returns what
 * was pressed; null if it does not exist.
 */
export async function recordTap(trx: Trx, tapped: TappedOption): Promise<Option | null> {
  const { messageId, subjectId, unitId, frozen, n, o, channel, at } = tapped
  const option = findOption(frozen, n, o)
  if (!option) return null
  const { question, id: optionId, data = null } = option
  const answer = { messageId, subjectId, question, n, o, optionId, data, channel, at }
  const changed = await insertAnswer(trx, answer)
  await applyAction(trx, tapped, option)
  if (changed) await insertAnswerCallbacks(trx, { unitId, messageId, subjectId, optionId, data })
  return option
}

/**
 * Performs the action of a button beside any answer: turns its category off, or adds the person to its group. Returns
 * what it did; null for a button that only answers.
 */
export async function applyAction(
  trx: Trx,
  person: Pick<TappedOption, 'subjectId' | 'unitId'>,
  option: Option,
): Promise<'muted' | 'joined' | null> {
  await mute(trx, person, option)
  await join(trx, person, option)
  if (option.mutes !== undefined) return 'muted'
  return option.joins === undefined ? null : 'joined'
}

/**
 * Turns a button's category off, unless it has become mandatory since. Unlike an answer this is possible for ever
 * (docs/design/links.md). Does nothing for other buttons.
 */
export async function mute(
  trx: Trx,
  { subjectId }: Pick<TappedOption, 'subjectId'>,
  { mutes }: Option,
): Promise<void> {
  if (mutes === undefined) return
  const off = { chat: false, email: false }
  await ignoreServiceError(changePreferences(trx, subjectId, { categories: { [mutes]: off } }))
}

/** Adds the person to a group of the unit, unless it is deleted, dynamic, or in a parent without the person. */
async function join(
  trx: Trx,
  { subjectId, unitId }: Pick<TappedOption, 'subjectId' | 'unitId'>,
  { joins }: Option,
): Promise<void> {
  const groupId = idOrNull(joins)
  if (groupId === null) return
  const joined = await ignoreServiceError(
    addMembers(trx, { groupId, unitIds: [unitId] }, { subjectIds: [subjectId] }),
  )
  if (!joined?.added) return
  const group = { unitId, objectKind: 'group', objectId: groupId } as const
  const details = { added: 1, removed: 0 }
  await insertAudit(trx, { ...group, actor: recipientActor(subjectId), action: 'members', details })
}

/** Keeps the answer even if the action of its button is no longer possible. */
async function ignoreServiceError<T>(what: Promise<T>): Promise<T | undefined> {
  try {
    return await what
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
