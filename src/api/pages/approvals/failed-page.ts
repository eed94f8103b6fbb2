import { html } from '../../../channels/email/markup.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import { renderPage } from '../page.ts'
import { listLink } from './approval-page.ts'
import { approvalWords } from './words.ts'

/** The page of a request that failed. */
export function failedApprovalPage(locale: Locale, code: ErrorCode): string {
  const words = approvalWords[locale]
  const { title, text } = words.failed[code] ?? words.failed.other
  return renderPage({
    lang: words.lang,
    from: 'Carillon',
    title,
    body: [html`<p>${text}</p>\n`, listLink(words)],
  })
}

/** The page of a decision whose session has ended. `login`: the address of the sign-in that returns to the page. */
export function signInAgainPage(locale: Locale, login: string): string {
  const { lang, signIn } = approvalWords[locale]
  const { title, text, button } = signIn
  const body = [html`<p>${text}</p>\n`, html`<a class="strong" href="${login}">${button}</a>\n`]
  return renderPage({ lang, from: 'Carillon', title, body })
}
