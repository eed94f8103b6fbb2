import { insertAudit } from '../../db/queries/audit/audit.ts'
import { findMentions, recordsOf } from '../../db/queries/erasure/record.ts'
import { type DeliveryCursor, listSubjectDeliveries } from '../../db/queries/subject/inbox.ts'
import type { RecordRow } from '../../db/rows.ts'
import { actorOf, type ProducerPrincipal } from '../../domain/rights/principal.ts'
import type { Services } from '../context.ts'
import { deliveryOf } from './deliveries.ts'
import { findSubjectByName, readSubject } from './find.ts'

/** Characters of rows that are joined, and deliveries that are read, in one go. */
const atOnce = { characters: 100_000, deliveries: 1_000 }

/**
 * Exports all data of one subject, for the subject: a `SubjectExport` as the parts of its JSON, since it may be of many
 * megabytes. The audit log records who requested it.
 * @throws ServiceError not_found
 */
export async function exportSubject(
  services: Services,
  principal: ProducerPrincipal,
  named: string,
): Promise<AsyncIterable<string>> {
  const { db } = services
  const { id, uid } = await findSubjectByName(db, named)
  await insertAudit(db, {
    unitId: principal.unitId,
    actor: actorOf(principal),
    action: 'export',
    objectKind: 'subject',
    objectId: id,
  })
  return linesOf(services, { id, uid })
}

async function* linesOf({ db }: Services, person: { id: string; uid: string }): AsyncGenerator<string> {
  const subject = await readSubject(db, person.id)
  const head = JSON.stringify({ exportedAt: new Date().toISOString(), subject })
  yield `${head.slice(0, -1)},"records":{`
  const records = { ...(await recordsOf(db, person.id)), ...(await findMentions(db, person)) }
  for (const [index, [table, rows]] of Object.entries(records).entries()) {
    yield `${index > 0 ? ',' : ''}${JSON.stringify(table)}:[`
    yield* joined(rows)
    yield ']'
  }
  yield '},"deliveries":['
  let after: DeliveryCursor | null = null
  for (;;) {
    const deliveries = await listSubjectDeliveries(db, person.id, { after, limit: atOnce.deliveries })
    const last = deliveries.at(-1)
    if (!last) break
    yield (after ? ',' : '') + deliveries.map((row) => JSON.stringify(deliveryOf(row))).join(',')
    if (deliveries.length < atOnce.deliveries) break
    after = { waveId: last.waveId, channel: last.channel }
  }
  yield ']}'
}

/** The rows between commas, some at a time. */
function* joined(rows: readonly RecordRow[]): Generator<string> {
  let part = ''
  for (const [index, row] of rows.entries()) {
    part += index > 0 ? `,${row}` : row
    if (part.length < atOnce.characters) continue
    yield part
    part = ''
  }
  yield part
}
