import { ServiceError } from '../../contract/errors.ts'
import type { MemberAction, MembersChanged } from '../../contract/groups/group.ts'
import { limits } from '../../contract/limits.ts'
import { broken } from '../../contract/rules.ts'
import type { Db } from '../../db/connect.ts'
import { packSubjectIds } from '../../db/queries/catalogue/group-members.ts'
import { isStorableText } from '../../domain/lib/storable-text.ts'
import type { Principal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { limitedBytes } from '../upload/bytes.ts'
import { linesIn } from '../upload/lines.ts'
import { yieldToEventLoop } from '../upload/yield-to-event-loop.ts'
import { validationError } from '../validation-error.ts'
import { editableList, writeMembers } from './change-members.ts'

/** Uids looked up in one statement. */
const uidsAtOnce = 5_000

/**
 * Adds people to a static group, or removes them, from a list with one uid per line, as a JSON string or as plain text.
 * Looks the lines up as they arrive and keeps only the ids of known people, 16 bytes each; then changes all of them in
 * one transaction, or none. An unknown uid that repeats may count more than
 * once.
 * @throws ServiceError as `changeMembers` does; payload_too_large for more than `limits.membersPerUpload` lines
 */
export async function uploadMembers(
  services: Services,
  principal: Principal,
  { id, action }: { id: string; action: MemberAction },
  bytes: AsyncIterable<Buffer>,
): Promise<MembersChanged> {
  const { unitId } = await editableList(services.db, principal, id)
  const { packedIds, unknown } = await lookUp(services.db, bytes)
  return services.db
    .transaction()
    .execute((trx) =>
      writeMembers(trx, principal, { id, unitId }, { [action]: { packedIds } }, () => unknown),
    )
}

async function lookUp(db: Db, bytes: AsyncIterable<Buffer>): Promise<{ packedIds: Buffer; unknown: number }> {
  const chunks: Buffer[] = []
  let unknown = 0
  let uids = new Set<string>()
  const look = async () => {
    const { packedIds, known: existing } = await packSubjectIds(db, [...uids])
    chunks.push(packedIds)
    unknown += uids.size - existing
    uids = new Set()
  }
  for await (const uid of uidsIn(bytes)) {
    uids.add(uid)
    if (uids.size === uidsAtOnce) await look()
  }
  if (uids.size > 0) await look()
  return { packedIds: Buffer.concat(chunks), unknown }
}

async function* uidsIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let line = 0
  let uids = 0
  for await (const text of yieldToEventLoop(linesIn(limitedBytes(bytes)))) {
    line += 1
    if (text?.trim() === '') continue
    uids += 1
    if (uids > limits.membersPerUpload)
      throw new ServiceError(
        'payload_too_large',
        `Send at most ${limits.membersPerUpload} uids at once. Split the list.`,
      )
    yield uidOf(text, line)
  }
}

function uidOf(line: string | null, number: number): string {
  const uid = line === null ? undefined : (jsonText(line) ?? line.trim())
  if (uid !== undefined && uid !== '' && uid.length <= limits.uidLength && isStorableText(uid)) return uid
  throw validationError([{ path: `line ${number}`, ...broken('wrong_format', { format: 'uid_line' }) }])
}

/** The text of a JSON string; undefined for a line that is not one. */
function jsonText(line: string): string | undefined {
  if (!line.trimStart().startsWith('"')) return undefined
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
