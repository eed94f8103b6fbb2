import type { MessageState } from '../../domain/message-state.ts'
import type { Db } from '../connect.ts'
import { firstIdOf } from '../first-id.ts'
import { type MessageItemRow, selectMessageItem } from './message-item.ts'

export type MessageFilter = {
  unitId: string
  states?: MessageState[]
  categoryId?: string
  topicId?: string | null
  createdAfter?: string
  order: 'newest' | 'oldest'
  /** the last id of the page before */
  cursor: string | null
  limit: number
}

/** A unit's messages in the order they were made, in one query; ids are time-ordered. */
export async function listMessageItems(
  db: Db,
  actor: string,
  filter: MessageFilter,
): Promise<MessageItemRow[]> {
  const oldest = filter.order === 'oldest'
  return selectMessageItem(db, actor)
    .where('m.unit_id', '=', filter.unitId)
    .$if(filter.states !== undefined, (query) => query.where('m.state', 'in', filter.states!))
    .$if(filter.categoryId !== undefined, (query) => query.where('m.category_id', '=', filter.categoryId!))
    .$if(filter.topicId !== undefined, (query) => query.where('m.topic_id', '=', filter.topicId!))
    .$if(filter.createdAfter !== undefined, (query) => madeAfter(query, Date.parse(filter.createdAfter!)))
    .$if(filter.cursor !== null, (query) => query.where('m.id', oldest ? '>' : '<', filter.cursor!))
    .orderBy('m.id', oldest ? 'asc' : 'desc')
    .limit(filter.limit)
    .execute()
}

/** A row may say that it was made a little before its id was, or by a clock that was put right since. */
const clockSlackMs = 60_000

/**
 * Ids are time-ordered: by them the index ends where the past begins, and a unit's whole past need not be read. We answer
 * milliseconds and keep more: whoever asks from the last `createdAt` on has seen all of its millisecond.
 */
function madeAfter<Query extends ReturnType<typeof selectMessageItem>>(query: Query, moment: number) {
  return query
    .where('m.created_at', '>=', new Date(moment + 1))
    .where('m.id', '>=', firstIdOf(moment - clockSlackMs))
}
