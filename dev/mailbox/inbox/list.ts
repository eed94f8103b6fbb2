import { type Html, html } from '../../html.ts'
import type { MailItem } from '../store.ts'

/** The content of the side list: the newest of the mails found. */
export type Listing = { items: MailItem[]; found: number; search: string; shown: number | undefined }

const itemsShown = 100

/** Builds the side list from the mails found. */
export function listing(found: MailItem[], more: Pick<Listing, 'search' | 'shown'>): Listing {
  return { items: found.slice(0, itemsShown), found: found.length, ...more }
}

/** The recipients of a mail in one line. */
export function addresses(to: string | string[]): string {
  return [to].flat().join(', ')
}

/** The list, which the open page also reloads. */
export function mailList({ items, found, search, shown }: Listing): Html {
  if (found === 0) return nothing(search)
  const rest = found - items.length
  return html`${items.map((item) => entry(item, search, item.seq === shown))}
  ${rest > 0 && html`<p class="nothing">${rest} older mails are not listed. Search for a recipient to find them.</p>`}`
}

function nothing(search: string): Html {
  return search
    ? html`<p class="nothing">No mail to an address that contains “${search}”.</p>`
    : html`<p class="nothing">No mail yet. Messages sent by e-mail appear here.</p>`
}

function entry({ seq, at, to, subject }: MailItem, search: string, shown: boolean): Html {
  const address = addresses(to)
  const query = new URLSearchParams({ ...(search && { to: search }), mail: String(seq) })
  return html`<a class="entry${shown && ' entry--shown'}" href="/?${query.toString()}"${shown && html` aria-current="true"`}>
    <span class="face" style="--hue: ${hue(address)}">${address.slice(0, 2)}</span>
    <span class="entry__to">${address}</span>
    <time datetime="${at}">${timeOf(at)}</time>
    <span class="entry__subject">${subject || '(no subject)'}</span>
  </a>`
}

function hue(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 360
  return sum
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The time for today's mail, the date for older mail. */
function timeOf(at: string): string {
  const when = new Date(at)
  return day.format(when) === day.format(new Date()) ? clock.format(when) : day.format(when)
}
