import { html, type Markup } from '../../channels/email/markup.ts'
import type { Locale } from '../../contract/enums.ts'
import type { ServiceError } from '../../contract/errors.ts'
import type { Session } from '../../contract/identity/sign-in.ts'
import type { WaitingInUnit } from '../../services/approvals/list.ts'
import type { UnknownPerson } from '../../services/identity/sign-in.ts'
import { mailSettingsLink, waitingList } from './approvals/list-page.ts'
import { handoffsLink } from './handoffs/list-page.ts'
import { languageForm } from './mail-settings-page.ts'
import { renderPage } from './page.ts'
import { signInWords } from './sign-in-words.ts'

type UnitNames = ReadonlyMap<string, string>

/**
 * The start page: what waits for the person who is signed in, or where to sign in. `login`: the address where sign-in
 * begins. `unitNames`: as the reader knows the units, by id. `waiting`: by unit; none for those who approve in no unit.
 */
export function startPage(
  locale: Locale,
  session: Session | null,
  { login, unitNames, waiting }: { login: string; unitNames: UnitNames; waiting: WaitingInUnit[] },
): string {
  const words = signInWords[locale]
  const docs = html`<p class="quiet"><a href="/docs">${words.docs}</a></p>\n`
  if (!session) {
    const { title, text } = words.welcome
    const body = [html`<p>${text}</p>\n${signInLink(login, words.signIn)}`, docs]
    return renderPage({ lang: words.lang, from: 'Carillon', title, body })
  }
  const title = words.signedIn(session.person.name)
  return renderPage({
    lang: words.lang,
    from: 'Carillon',
    title,
    body: [
      ...memberships(locale, session, unitNames),
      waiting.length > 0 ? html`<h2>${words.waiting}</h2>\n${waitingList(locale, waiting)}` : html``,
      session.units.length > 0 ? handoffsLink(locale) : html``,
      mailSettingsLink(locale),
      languageForm(locale),
      signOutForm(words.signOut),
      docs,
    ],
    wide: waiting.length > 0,
  })
}

function signOutForm(label: string): Markup {
  return html`<form method="post" action="/v1/auth/logout"><button class="mild">${label}</button></form>\n`
}

/** The page of a rejected sign-in: the reason, and a link to try again. `login`: the address where sign-in begins. */
export function failedPage(locale: Locale, { code, details }: ServiceError, login: string): string {
  const words = signInWords[locale]
  const { reason } = { ...(details as { reason?: UnknownPerson }) }
  const { title, text } = (reason && words.failed[reason]) ?? words.failed[code] ?? words.failed.other
  const body = [
    html`<p>${text}</p>\n`,
    ...(code === 'not_configured' ? [] : [signInLink(login, words.again)]),
  ]
  return renderPage({ lang: words.lang, from: 'Carillon', title, body })
}

/** The person's units and roles. */
function memberships(locale: Locale, { units, systemAdmin }: Session, names: UnitNames): Markup[] {
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
