import type { FastifyReply } from 'fastify'
import type { WaveName } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { framedOf, framePolicy, withOwnPictures } from './framed.ts'

/**
 * Answers with what a page shows in a frame. `pictures`: what the addresses of own pictures begin with.
 * @throws ServiceError not_found if the page draws it by itself
 */
export function showFrame(
  reply: FastifyReply,
  preview: Preview,
  { wave, pictures }: { wave: WaveName; pictures: string | null },
): FastifyReply {
  const framed = framedOf(preview, wave)
  if (!framed) throw new ServiceError('not_found', 'The page draws this by itself.')
  return reply
    .headers({ 'content-security-policy': framePolicy, 'cache-control': 'no-store' })
    .type('text/html; charset=utf-8')
    .send(withOwnPictures(framed.document, pictures))
}
