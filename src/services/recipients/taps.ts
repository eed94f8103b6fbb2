import type { Channel } from '../../contract/enums.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/maintenance/audit.ts'
import { insertAnswer } from '../../db/queries/message/answer.ts'
import { findOption, type Option } from '../../domain/option.ts'
import { recipientActor } from '../../domain/principal.ts'
import { addMembers } from '../groups/members.ts'
import { idOrNull } from '../validation-error.ts'
import { changePreferences } from './preferences.ts'

/** Something that was pressed: option or action `o` of message `n` in a content, by somebody who got it. */
export type TappedOption = {
  messageId: string
  unitId: string
  frozen: readonly CanonicalMessage[]
  subjectId: string
  channel: Channel
  n: number
  o: string
}

/**
 * Writes an answer down, once for each person and option, and does what its button is for; the same for a link in a mail
 * and a tap in the chat. What a button can do is looked up in the frozen content, so nobody can ask for more than was
 * offered. False: there is no such option.
 */
export async function recordTap(trx: Trx, tapped: TappedOption): Promise<boolean> {
  const { messageId, subjectId, frozen, n, o, channel } = tapped
  const option = findOption(frozen, n, o)
  if (!option) return false
  await insertAnswer(trx, { messageId, subjectId, n, o, optionId: option.id ?? null, channel })
  await mute(trx, tapped, option)
  await join(trx, tapped, option)
  return true
}

/** A category that has become mandatory since stays on. */
async function mute(trx: Trx, { subjectId }: TappedOption, { mutes }: Option): Promise<void> {
  if (mutes === undefined) return
  const off = { chat: false, email: false }
  await ignoreServiceError(changePreferences(trx, subjectId, { categories: { [mutes]: off } }))
}

/** A group of the message's unit; one that is gone, is a query, or lies in another that the person is not in, is left. */
async function join(trx: Trx, { subjectId, unitId }: TappedOption, { joins }: Option): Promise<void> {
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

/** The answer stands, whatever has become of what its button was for. */
async function ignoreServiceError<T>(what: Promise<T>): Promise<T | undefined> {
  try {
    return await what
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}
