import { type Channel, type Locale, locales } from '../../contract/enums.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import { placeOf } from './option.ts'
import { webLinksOf } from './web-link.ts'

/** How often a link was followed, on a channel and in a language. `people`: by how many people, in mails. */
export type ClickCount = {
  n: number
  o: string
  channel: Channel
  locale: Locale
  clicks: number
  people: number
}

/** The clicks on one link. */
type LinkClicks = {
  total: number
  byChannel: Partial<Record<Channel, number>>
  byLocale: Record<Locale, number>
  people: number
}

/**
 * The clicks on each link of a content that was sent on these channels, by the place of the link: all web links of the
 * content, and what was counted before its text was purged.
 */
export function clicksByLink(
  content: readonly CanonicalMessage[],
  counts: readonly ClickCount[],
  channels: readonly Channel[],
): Record<string, LinkClicks> {
  const links = content.flatMap((message, n) => webLinksOf(message).map(({ o }) => placeOfLink(n, o)))
  const counted = counts.map(({ n, o }) => placeOfLink(n, o))
  const clicksAt = (place: string) => {
    const here = counts.filter(({ n, o }) => placeOfLink(n, o) === place)
    return clicksAmong(here, channels)
  }
  return Object.fromEntries([...new Set([...links, ...counted])].map((place) => [place, clicksAt(place)]))
}

function clicksAmong(counts: readonly ClickCount[], channels: readonly Channel[]): LinkClicks {
  const sum = (some: readonly ClickCount[]) => some.reduce((total, { clicks }) => total + clicks, 0)
  const byChannel = channels.map((one) => [one, sum(counts.filter(({ channel }) => channel === one))])
  const byLocale = locales.map((one) => [one, sum(counts.filter(({ locale }) => locale === one))])
  return {
    total: sum(counts),
    byChannel: Object.fromEntries(byChannel),
    byLocale: Object.fromEntries(byLocale),
    people: counts.reduce((total, { people }) => total + people, 0),
  }
}

function placeOfLink(n: number, o: string): string {
  return placeOf([n, ...o.split('.').map(Number)])
}
