import type { Layer, TopicStatus } from '../../contract/enums.ts'
import { broken } from '../../contract/rules.ts'
import type { CreateTopic, EditTopic, Topic, TopicListQuery } from '../../contract/topics.ts'
import type { Db, Trx } from '../../db/connect.ts'
import { insertAudit } from '../../db/queries/audit/audit.ts'
import {
  findNamesake,
  findTopic,
  insertTopic,
  listTopics as listRows,
  lockTopicsOf,
  type Topic as Row,
  updateTopic,
} from '../../db/queries/catalogue/topic.ts'
import { lockRow } from '../../db/rows.ts'
import { changedFields } from '../../domain/lib/changed-fields.ts'
import { inactiveTopic } from '../../domain/message/allowed-actions.ts'
import { actorOf, type Principal } from '../../domain/rights/principal.ts'
import { assertRoomFor } from '../bounds.ts'
import type { Services } from '../context.ts'
import { byId, type Page, pageOf } from '../page.ts'
import { refuse } from '../refuse.ts'
import { assertMayEdit, findInUnits, unitOf } from '../unit-access.ts'
import { validationError } from '../validation-error.ts'
import { assertVisible } from './visible-name.ts'

/** @throws ServiceError unit_required, forbidden, and what `makeTopic` throws */
export async function createTopic(
  services: Services,
  principal: Principal,
  body: CreateTopic,
): Promise<Topic> {
  const unitId = unitOf(principal, body.unitId)
  assertMayEdit(principal, unitId)
  const id = await makeTopic(services.db, actorOf(principal), { ...body, unitId })
  return getTopic(services, principal, id)
}

/**
 * Creates a topic with its audit row, for the API and the command line. Returns its id.
 * @throws ServiceError validation_error if the unit has as many as it may, or one of the name, or if the name has
 *   invisible characters
 */
export async function makeTopic(
  db: Db,
  actor: string,
  topic: Parameters<typeof insertTopic>[1],
): Promise<string> {
  assertVisible(topic.name)
  return db.transaction().execute(async (trx) => {
    await lockTopicsOf(trx, topic.unitId)
    await assertRoomFor(trx, 'topics', topic.unitId)
    await assertDistinct(trx, topic)
    const id = await insertTopic(trx, topic)
    const audit = { unitId: topic.unitId, actor, action: 'create' }
    await insertAudit(trx, { ...audit, objectKind: 'topic', objectId: id })
    return id
  })
}

/** @throws ServiceError not_found */
export async function getTopic(services: Services, principal: Principal, id: string): Promise<Topic> {
  return topicOf(await ownTopic(services.db, principal, id))
}

/**
 * Renames a topic or changes its status.
 * @throws ServiceError not_found, forbidden, validation_error if another topic of the unit has the name, or if it has
 *   invisible characters
 */
export async function editTopic(
  services: Services,
  principal: Principal,
  id: string,
  patch: EditTopic,
): Promise<Topic> {
  const { unitId } = await ownTopic(services.db, principal, id)
  assertMayEdit(principal, unitId)
  assertVisible(patch.name)
  return services.db.transaction().execute(async (trx) => {
    if (patch.name) await lockTopicsOf(trx, unitId)
    await lockRow(trx, 'topic', id, 'change')
    const before = await ownTopic(trx, principal, id)
    const fields = changedFields<EditTopic>(before, patch)
    if (fields.length === 0) return topicOf(before)
    if (fields.includes('name')) await assertDistinct(trx, { unitId, name: patch.name!, but: id })
    await updateTopic(trx, id, patch)
    const details = Object.fromEntries(fields.map((field) => [field, patch[field]]))
    const audit = { unitId, actor: actorOf(principal), action: 'edit', details }
    await insertAudit(trx, { ...audit, objectKind: 'topic', objectId: id })
    return topicOf(await ownTopic(trx, principal, id))
  })
}

/** @throws ServiceError unit_required, forbidden, validation_error for an invalid cursor */
export async function listTopics(
  services: Services,
  principal: Principal,
  query: TopicListQuery,
): Promise<Page<Topic>> {
  const filter = { unitId: unitOf(principal, query.unitId), statuses: query.status }
  return pageOf(query, byId, (page) => listRows(services.db, filter, page), topicOf)
}

/**
 * Checks that a message of a mandatory category has no topic: it would be sent to those who have unsubscribed from it.
 * @throws ServiceError validation_error
 */
export function assertMayHaveTopic(topicId: string | null | undefined, layer: Layer): void {
  if (topicId == null || layer !== 'mandatory') return
  throw validationError([{ path: 'topicId', ...broken('unexpected', { reason: 'mandatory' }) }])
}

/** @throws ServiceError topic_inactive, with details {issues} */
export function assertActive(status: TopicStatus | undefined): void {
  if (status !== 'active') refuse(inactiveTopic)
}

/** Recipients cannot tell two topics of one name apart. Those of before stay (docs/design/channels.md). */
async function assertDistinct(trx: Trx, topic: Parameters<typeof findNamesake>[1]): Promise<void> {
  const other = await findNamesake(trx, topic)
  if (!other) return
  throw validationError([{ path: `name.${other.locale}`, ...broken('taken', { of: 'topic', id: other.id }) }])
}

function ownTopic(db: Db, principal: Principal, id: string): Promise<Row> {
  return findInUnits(db, principal, id, 'topic', findTopic)
}

function topicOf({ createdAt, ...topic }: Row): Topic {
  return { ...topic, createdAt: createdAt.toISOString() }
}
