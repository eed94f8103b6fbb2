import type { Channel, WaveName } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { ownPictureAt } from './own-picture.ts'

/** What a frame shows, and what says the same beside it. */
export type FrameContent = { document: string; heading: string; text: string }
type Content<C extends Channel> = Omit<Extract<Preview, { channel: C }>, 'reminder'>

/** Of a channel whose content is a document with styles of its own. */
const contentOfChannel: { [C in Channel]: ((content: Content<C>) => FrameContent) | null } = {
  chat: null,
  email: ({ subject, html, text }) => ({ document: html, heading: subject, text }),
}

/** What is shown in a frame of the first send, or of the reminder; null: the channel is drawn on the page itself. */
export function frameContentOf(preview: Preview, wave: WaveName): FrameContent | null {
  const shape = contentOfChannel[preview.channel] as ((content: unknown) => FrameContent) | null
  const content = wave === 'first' ? preview : preview.reminder
  return shape && content ? shape(content) : null
}

/**
 * A document whose pictures are those of this installation, from the host of the page. Others are their alternative texts: nobody
 * else learns who reads. `pictures`: what the addresses of own pictures begin with.
 */
export function withOwnPictures(document: string, pictures: string | null): string {
  return document.replaceAll(/(<img\b[^>]*?) src="([^"]*)"/g, (_, image: string, url: string) => {
    const own = ownPictureAt(pictures, url)
    return own === null ? image : `${image} src="${own}"`
  })
}

/** Whether the channel shows its content in a frame. */
export function isFramed({ channel }: Pick<Preview, 'channel'>): boolean {
  return contentOfChannel[channel] !== null
}

/**
 * Of what stands in a frame of a page: its own styles and the installation's own pictures. It runs no script, sends no form,
 * opens no page, and asks no other host.
 */
export const framePolicy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'unsafe-inline'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox',
].join('; ')
