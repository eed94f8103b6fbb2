import type { Locale } from '../../../contract/enums.ts'
import type { ServiceError } from '../../../contract/errors.ts'
import type { Session } from '../../../contract/identity/sign-in.ts'
import type { MessageListItem } from '../../../contract/messages/list.ts'
import type { Pattern } from '../../../contract/patterns/pattern.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { attentionDays } from '../../../db/queries/message/attention.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Home, Standing } from '../../../services/home.ts'
import type { UnknownPerson } from '../../../services/identity/sign-in.ts'
import { waitingRows } from '../approvals/list.ts'
import { nearTimeOf, numberOf, timeOf } from '../kit/format.ts'
import { approves } from '../kit/menu.ts'
import type { Page } from '../kit/page.ts'
import { stateTag } from '../messages/list.ts'
import { messageWords } from '../messages/words.ts'
import { patternTag } from '../patterns/list.ts'
import { patternPageWords } from '../patterns/words.ts'
import { signInWords } from './sign-in-words.ts'

/**
 * The start page: what waits for the person who is signed in, or where to sign in. `login`: the address where sign-in
 * begins. `units`: those of the person.
 */
export function startPage(
  locale: Locale,
  session: Session | null,
  { login, units, home }: { login: string; units: readonly Unit[]; home: Home },
): Page {
  const words = signInWords[locale]
  if (!session) {
    const { title, text } = words.welcome
    const body = [html`<p>${text}</p>\n${signInLink(login, words.signIn)}`]
    return { lang: words.lang, from: 'Carillon', title, body }
  }
  const { waiting, attention, patterns, unanswered, standing } = home
  return {
    lang: words.lang,
    from: 'Carillon',
    title: words.signedIn(session.person.name),
    body: [
      standing ? standingSection(locale, units, standing) : html``,
      approves(session.units) ? waitingSection(locale, waiting) : html``,
      attention.length + patterns.length > 0
        ? html`<h2>${words.attention}</h2>
<ul class="waiting">\n${attention.map((item) => attentionRow(locale, units, item))}${patterns.map((item) => patternRow(locale, units, item))}</ul>
<p class="quiet">${words.attentionSpan(String(attentionDays))}</p>\n`
        : html``,
      unanswered > 0
        ? html`<h2>${words.talks}</h2>\n<p><a href="/handoffs">${words.unanswered(numberOf(locale, unanswered))}</a></p>\n`
        : html``,
      html`<h2>${words.you}</h2>\n`,
      ...memberships(locale, session, units),
      signOutForm(words),
    ],
    width: 'wide',
  }
}

/** How the messages of the unit stand: numbers that lead to the lists. */
function standingSection(
  locale: Locale,
  units: readonly Unit[],
  standing: Standing & { unit: Unit },
): Markup {
  const { standing: words } = signInWords[locale]
  const { unit, mine, writing, waiting, planned, nextAt, sent, reached } = standing
  const next = nextAt && nextAt.getTime() > Date.now() ? nextAt.toISOString() : null
  const tiles = (
    [
      ['draft', writing, words.writing, null],
      ['waiting', waiting, words.waiting, null],
      ['planned', planned, words.planned, next && words.next(nearTimeOf(locale, unit.timeZone, next))],
      ['sent', sent, words.sent, sent === 0 ? null : words.reached(numberOf(locale, reached))],
    ] as const
  ).map(([state, n, what, more]) => {
    const about = more === null ? html`` : html`<span class="quiet">${more}</span>`
    const to = `/messages?${new URLSearchParams({ unit: unit.id, state })}`
    return html`<li><a href="${to}"><span class="figure">${numberOf(locale, n)}</span> ${what}</a>${about}</li>\n`
  })
  const heading = mine ? words.mine : words.all
  const of = units.length > 1 ? html` <span class="quiet">${shownName(locale, unit)}</span>` : html``
  return html`<h2>${heading}${of}</h2>\n<ul class="tiles">\n${tiles}</ul>\n`
}

/** The most urgent of what waits for a decision; the list has the rest. */
function waitingSection(locale: Locale, waiting: Home['waiting']): Markup {
  const { waiting: heading, allWaiting, noneWaiting } = signInWords[locale]
  const total = waiting.reduce((sum, unit) => sum + unit.total, 0)
  if (total === 0) return html`<h2>${heading}</h2>\n<p>${noneWaiting}</p>\n`
  const groups = waiting.filter(({ items }) => items.length > 0)
  const rows = groups.map(({ unit, items }) => {
    const name = groups.length > 1 ? html`<h3>${shownName(locale, unit)}</h3>\n` : html``
    return html`${name}${waitingRows(locale, unit, items)}`
  })
  return html`<h2>${heading}</h2>\n${rows}<p><a href="/approvals">${allWaiting(numberOf(locale, total))}</a></p>\n`
}

function attentionRow(locale: Locale, units: readonly Unit[], item: MessageListItem): Markup {
  const unit = units.find(({ id }) => id === item.unitId)
  const from = unit
    ? `${shownName(locale, unit)} · ${messageWords[locale].times.created(timeOf(locale, unit.timeZone, item.createdAt))}`
    : ''
  const state = html`<span class="quiet">${stateTag(messageWords[locale], item)} ${from}</span>`
  return html`<li><a href="/messages/${item.id}">${localise(locale, item.title)}</a>${state}</li>\n`
}

/** A registration, survey or rsvp of the reader that was rejected. */
function patternRow(locale: Locale, units: readonly Unit[], item: Pattern): Markup {
  const unit = units.find(({ id }) => id === item.unitId)
  const from = unit ? `${patternPageWords[locale].types[item.type]} · ${shownName(locale, unit)}` : ''
  return html`<li><a href="/patterns/${item.id}">${localise(locale, item.title)}</a><span class="quiet">${patternTag(locale, item)} ${from}</span></li>\n`
}

function signOutForm({ signOut, aboutSignOut }: (typeof signInWords)[Locale]): Markup {
  return html`<form method="post" action="/v1/auth/logout"><button class="mild">${signOut}</button></form>\n<p class="quiet">${aboutSignOut}</p>\n`
}

/** The page of a rejected sign-in: the reason, and a link to try again. `login`: the address where sign-in begins. */
export function failedPage(locale: Locale, { code, details }: ServiceError, login: string): Page {
  const words = signInWords[locale]
  const { reason } = { ...(details as { reason?: UnknownPerson }) }
  const { title, text } = (reason && words.failed[reason]) ?? words.failed[code] ?? words.failed.other
  const body = [
    html`<p>${text}</p>\n`,
    ...(code === 'not_configured' ? [] : [signInLink(login, words.again)]),
  ]
  return { lang: words.lang, from: 'Carillon', title, body }
}

/** The person's units and roles. */
function memberships(locale: Locale, { units, systemAdmin }: Session, own: readonly Unit[]): Markup[] {
  const names = new Map(own.map((unit) => [unit.id, shownName(locale, unit)]))
  const { roles, noUnit } = signInWords[locale]
  const [colon, between] = locale === 'en' ? [': ', ', '] : ['：', '、']
  const lines = units.map(
    ({ id, name, roles: held }) =>
      `${names.get(id) ?? name}${colon}${held.map((role) => roles[role]).join(between)}`,
  )
  if (systemAdmin) lines.push(roles.systemAdmin)
  return (lines.length > 0 ? lines : [noUnit]).map((line) => html`<p>${line}</p>\n`)
}

function signInLink(href: string, text: string): Markup {
  return html`<a class="strong" href="${href}">${text}</a>\n`
}
