import type { FastifyReply } from 'fastify'
import { ServiceError } from '../../../contract/errors.ts'
import type { Page } from '../kit/page.ts'
import type { Reader } from '../kit/signed-in-pages.ts'
import { refusalText } from './issues.ts'

/**
 * What a press does; or the page with why the server would not, in the reader's language.
 * @throws what is no refusal
 */
export async function orRefused<Done>(
  { locale }: Reader,
  reply: FastifyReply,
  press: () => Promise<Done>,
  page: (refused: string) => Promise<Page>,
): Promise<Done | Page> {
  try {
    return await press()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status === 500) throw error
    reply.code(error.status)
    return page(refusalText(locale, error))
  }
}
