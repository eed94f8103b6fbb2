import type { MessageListItem, MessageListQuery } from '../../contract/messages/list.ts'
import { listMessageItems } from '../../db/queries/message/read.ts'
import { actorOf, type Principal } from '../../domain/principal.ts'
import type { Services } from '../context.ts'
import { idOrNull } from '../invalid.ts'
import { idOfCursor, type Page, pageOf } from '../page.ts'
import { unitOf } from '../unit-of.ts'
import { itemOf } from './item.ts'

/**
 * One page of a unit's messages, newest first unless asked otherwise.
 * @throws ServiceError unit_required, forbidden, validation_error for a cursor that is none
 */
export async function listMessages(
  services: Services,
  principal: Principal,
  query: MessageListQuery,
): Promise<Page<MessageListItem>> {
  const unitId = unitOf(principal, query.unitId)
  const { topicId, categoryId, createdAfter, order, limit } = query
  // A topic that is no id of ours is nobody's topic.
  if (topicId !== undefined && idOrNull(topicId) === null) return { items: [], nextCursor: null }
  const rows = await listMessageItems(services.db, actorOf(principal), {
    unitId,
    states: query.state,
    categoryId,
    topicId,
    createdAfter,
    order,
    cursor: idOfCursor(query.cursor),
    limit: limit + 1,
  })
  return pageOf(
    rows,
    limit,
    (row) => row.id,
    (row) => itemOf(row, principal),
  )
}
