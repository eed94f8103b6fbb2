import type { FastifyReply } from 'fastify'
import { type ErrorCode, ServiceError } from '../../../contract/errors.ts'
import type { Page } from './page.ts'

/** Errors that have a page of their own, with what operators find them by. Every other one is explained where it was pressed. */
const elsewhere: readonly ErrorCode[] = ['internal']

/**
 * What a press does; or the page on which it was pressed, as it is now, with why the server would not, and the status of the
 * error. `explains`: that reason, in the words of the page; null: the page has none.
 * @throws what the page does not explain
 */
export async function withRejection<Done, Why>(
  reply: FastifyReply,
  explains: (error: ServiceError) => Why | null,
  press: () => Promise<Done>,
  page: (why: Why) => Promise<Page>,
): Promise<Done | Page> {
  try {
    return await press()
  } catch (error) {
    if (!(error instanceof ServiceError) || elsewhere.includes(error.code)) throw error
    const why = explains(error)
    if (why === null) throw error
    reply.code(error.status)
    return page(why)
  }
}
