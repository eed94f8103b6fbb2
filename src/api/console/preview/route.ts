import type { FastifyRequest } from 'fastify'
import { type Channel, channels, isOneOf, type Locale, locales } from '../../../contract/enums.ts'
import { ServiceError } from '../../../contract/errors.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import type { Services } from '../../../services/context.ts'
import { picturesOf } from '../../../services/media/pictures-in.ts'
import type { Handler, Reader } from '../kit/signed-in-pages.ts'
import { frameContentOf, framePolicy, withOwnPictures } from './frame.ts'

/** What a frame is asked for. */
type PreviewVariant = { channel: Channel; locale: Locale }
/** What is shown; null: there is nothing yet. */
type Draw = (reader: Reader, request: FastifyRequest, variant: PreviewVariant) => Promise<Preview | null>

/** Below the page at `url`: what it shows in a frame, of a channel in a language; with `wave=reminder`, of the reminder. */
export function previewRoute(
  get: (path: string, handler: Handler) => void,
  url: string,
  services: Services,
  draw: Draw,
): void {
  get(`${url}/preview/:channel/:locale`, async (reader, request, reply) => {
    const { channel, locale } = request.params as { channel: string; locale: string }
    if (!isOneOf(channels, channel) || !isOneOf(locales, locale))
      throw new ServiceError('not_found', 'No such preview. Check the channel and the language.')
    const preview = await draw(reader, request, { channel, locale })
    if (!preview) throw new ServiceError('not_found', 'It has no preview before its fields are complete.')
    const { wave } = request.query as { wave?: unknown }
    const content = frameContentOf(preview, wave === 'reminder' ? wave : 'first')
    if (!content) throw new ServiceError('not_found', 'The page draws this by itself.')
    return reply
      .headers({ 'content-security-policy': framePolicy, 'cache-control': 'no-store' })
      .type('text/html; charset=utf-8')
      .send(withOwnPictures(content.document, picturesOf(services)))
  })
}
