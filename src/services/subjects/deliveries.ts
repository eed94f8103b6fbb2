import type { SubjectDelivery, SubjectDeliveryPage } from '../../contract/subjects/records.ts'
import {
  type AfterDelivery,
  listSubjectDeliveries as listRows,
  type SubjectDeliveryRow,
} from '../../db/queries/subject/inbox.ts'
import type { Services } from '../context.ts'
import { idOrNull } from '../invalid.ts'
import { instant } from '../moments.ts'
import { keyOf, noCursor, pageOf } from '../page.ts'
import { subjectNamed } from './find.ts'

/**
 * What one person was sent and what they were not, of all units, newest first.
 * @throws ServiceError not_found, validation_error
 */
export async function listSubjectDeliveries(
  { db }: Services,
  named: string,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<SubjectDeliveryPage> {
  const { id } = await subjectNamed(db, named)
  const rows = await listRows(db, id, { after: afterOf(cursor), limit: limit + 1 })
  return pageOf(rows, limit, ({ waveId, channel }) => `${waveId} ${channel}`, deliveryOf)
}

function afterOf(cursor: string | undefined): AfterDelivery | null {
  if (cursor === undefined) return null
  const [id, channel = ''] = keyOf(cursor)!.split(' ')
  const waveId = idOrNull(id)
  if (waveId !== null && /^\w+$/.test(channel)) return { waveId, channel }
  throw noCursor()
}

/** The text of a personal message is for its authors and approvers, and its title may be made of the text. */
export function deliveryOf({ waveId, kind, title, at, ...row }: SubjectDeliveryRow): SubjectDelivery {
  return { ...row, title: kind === 'personal' ? null : title, at: instant(at) }
}
