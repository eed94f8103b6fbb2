import { html, type Markup } from '../../../src/html/markup.ts'
import { isFound, personAt } from '../../demo/directory.ts'
import type { Language } from '../../language.ts'
import { demoTimeZone as timeZone } from '../../time-zone.ts'
import type { MailItem } from '../store.ts'
import { type Words, words } from './words.ts'

/** What a list shows: mails that a search finds, from the newest, or from the one before `before`. */
export type ListQuery = { search: string; before: number | undefined; shown: number | undefined }
/** One page of the list; `older`: the mails behind it. */
export type Listing = ListQuery & { items: MailItem[]; older: number }

const itemsShown = 100

/** The page of the list among these mails, newest first. */
export function listing(mails: readonly MailItem[], query: ListQuery): Listing {
  const { search, before = Number.POSITIVE_INFINITY } = query
  const matches = mails.filter((item) => item.seq < before && isMatch(item, search))
  return { ...query, items: matches.slice(0, itemsShown), older: Math.max(0, matches.length - itemsShown) }
}

/** Whether recipient or subject contains the text. */
function isMatch({ to, subject }: MailItem, search: string): boolean {
  const wanted = search.trim().toLowerCase()
  return subject.toLowerCase().includes(wanted) || [to].flat().some((address) => isFound(address, wanted))
}

/** The recipients of a mail in one line. */
export function addresses(to: string | string[]): string {
  return [to].flat().join(', ')
}

/** The name of a mail's recipient, if it is a person of the demo. */
export function recipientOf(to: string | string[]): { name: string; uid: string } | undefined {
  return Array.isArray(to) ? undefined : personAt(to)
}

/** The list, which the open page also reloads. */
export function mailList(list: Listing, language: Language): Markup {
  const text = words[language]
  const { items, older, search, before } = list
  const link = (at?: number) => {
    const query = new URLSearchParams({ ...(search && { to: search }), ...(at && { before: String(at) }) })
    return `/?${query.toString()}`
  }
  const newest = before !== undefined && html`<a class="page" href="${link()}">${text.newest}</a>`
  const last = items.at(-1)
  const rest = older > 0 && last && html`<a class="page" href="${link(last.seq)}">${text.older(older)}</a>`
  if (items.length === 0) return html`${newest}${nothing(search, text)}`
  return html`${newest}${items.map((item) => entry(item, list, text))}${rest}`
}

function nothing(search: string, text: Words): Markup {
  return html`<p class="nothing">${search ? text.notFound(search) : text.none}</p>`
}

function entry(
  { seq, at, to, subject }: MailItem,
  { search, before, shown: openSeq }: Listing,
  text: Words,
): Markup {
  const address = addresses(to)
  const { name, uid } = recipientOf(to) ?? {}
  const query = new URLSearchParams({
    ...(search && { to: search }),
    ...(before !== undefined && { before: String(before) }),
    mail: String(seq),
  })
  const isShown = seq === openSeq
  return html`<a class="entry${isShown && ' entry--shown'}" data-seq="${seq}" href="/?${query.toString()}" title="${address}"${isShown && html` aria-current="true"`}>
    <span class="face" style="--hue: ${hue(address)}">${name?.slice(0, 1) ?? address.slice(0, 2)}</span>
    <span class="entry__to">${name ?? address}${uid && html`<b>${uid}</b>`}</span>
    <time datetime="${at}">${timeOf(at)}</time>
    <span class="entry__subject">${subject || text.noSubject}</span>
  </a>`
}

function hue(text: string): number {
  let sum = 0
  for (const character of text) sum = (sum * 31 + character.codePointAt(0)!) % 360
  return sum
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone })

/** The time for today's mail, the date for older mail. */
function timeOf(at: string): string {
  const when = new Date(at)
  return day.format(when) === day.format(new Date()) ? clock.format(when) : day.format(when)
}
