import type { Locale } from '../../contract/enums.ts'
import type { Action, CanonicalMessage } from '../../contract/messages/content.ts'

/**
 * A link of a content: the action `o` (in a carousel `card.action`) of the message `n`, as a reader of `locale` sees it.
 */
export type LinkPosition = { n: number; o: string; locale: Locale }

/**
 * A URL as it goes on the wire: percent-encoded UTF-8 and punycode, as browsers write it. Empty for what is no URL, such
 * as variables make of one.
 */
export function asciiUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replaceAll(' ', '%20') : ''
}

/** Whether a URL is one of the web, which a browser can be redirected to (docs/design/links.md). */
export function isWebUrl(url: string): boolean {
  return /^https?:\/\/./.test(url)
}

/** The same of a URL in which variables still stand, which may become one. */
export function mayBeWebUrl(url: string): boolean {
  return isWebUrl(asciiUrl(url)) || /^(https?:\/\/|\{)/i.test(url)
}

/** The web links of a message: the place of each, and the URL that it opens. */
export function webLinksOf(message: CanonicalMessage): { o: string; url: string }[] {
  switch (message.kind) {
    case 'card':
    case 'buttons':
      return webLinksAmong(message.actions, '')
    case 'carousel':
      return message.cards.flatMap(({ actions }, card) => webLinksAmong(actions, `${card}.`))
    default:
      return []
  }
}

/** `card`: what stands before the index of an action of a carousel's card, such as `2.`. */
function webLinksAmong(actions: readonly Action[], card: string): { o: string; url: string }[] {
  return actions.flatMap((action, index) => {
    const url = action.kind === 'uri' ? asciiUrl(action.url) : ''
    return isWebUrl(url) ? [{ o: `${card}${index}`, url }] : []
  })
}
