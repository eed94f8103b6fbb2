import type { Channel } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAnswer } from '../../db/queries/answer/answer.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import { insertAnswerCallbacks } from '../../db/queries/callback/answers.ts'
import { findOption, type Option } from '../../domain/content/option.ts'
import { idOrNull } from '../../domain/lib/id.ts'
import { recipientActor } from '../../domain/rights/principal.ts'
import { addMembers } from '../groups/members.ts'
import { mute, type Switched } from './mute.ts'

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

/** A pressed button. `switched`: what it did to a category; null: nothing. */
type PressedOption = { option: Option; switched: Switched | null }

/**
 * Records a person's last answer to a question and reports it to the unit's callbacks, then performs its button's action,
 * for links in mails and taps in the chat alike. The action comes from the frozen content, so a caller gets only what was
 * offered. Returns what was pressed, and what it switched; null if it does not exist.
 */
export async function recordTap(trx: Trx, tapped: TappedOption): Promise<PressedOption | null> {
  const { messageId, subjectId, unitId, frozen, n, o, channel, at } = tapped
  const option = findOption(frozen, n, o)
  if (!option) return null
  const { question, id: optionId, data = null } = option
  const answer = { messageId, subjectId, question, n, o, optionId, data, channel, at }
  const changed = await insertAnswer(trx, answer)
  const done = await applyAction(trx, tapped, option)
  if (changed) await insertAnswerCallbacks(trx, { unitId, messageId, subjectId, optionId, data })
  return { option, switched: done?.is === 'muted' ? done.switched : null }
}

/**
 * Performs the action of a button beside any answer: turns its category off, or adds the person to its group. Returns
 * what it did; null for a button that only answers.
 */
export async function applyAction(
  trx: Trx,
  person: Pick<TappedOption, 'subjectId' | 'unitId'>,
  option: Option,
): Promise<{ is: 'muted'; switched: Switched | null } | { is: 'joined' } | null> {
  if (option.mutes !== undefined)
    return { is: 'muted', switched: await mute(trx, { subjectId: person.subjectId, option }) }
  if (option.joins === undefined) return null
  await join(trx, person, option)
  return { is: 'joined' }
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
