import { html, type Markup } from '../../channels/email/markup.ts'
import type { Locale } from '../../contract/enums.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import { localise } from '../../domain/localise.ts'
import type { LinkView } from '../../services/recipients/links.ts'
import { type Page, renderPage } from './page.ts'
import { preferencesContent } from './preferences-page.ts'
import { pageWords } from './words.ts'

/** What has a page; the copy of a mail is one itself. */
type PageView = Exclude<LinkView, { ask: 'copy' }>

/**
 * The page of a link in a mail: asks for confirmation, or confirms what was done. Its form posts to its own address, and
 * it holds no other link: what a link allows does not grow (docs/decisions/0043-secrets-and-links.md).
 */
export function linkPage(view: PageView): string {
  const { lang } = pageWords[view.locale]
  return renderPage({ lang, from: view.unit, ...content(view) })
}

/** The page of a link without a recipient, in both languages, since the recipient's is unknown. */
export function plainPage(kind: 'sample' | 'copy' | 'unknown'): string {
  const { 'zh-TW': zh, en } = pageWords
  const english = html`<p lang="en" class="quiet">${en[kind].title}. ${en[kind].text}</p>\n`
  const { title, text } = zh[kind]
  return renderPage({ lang: zh.lang, from: 'Carillon', title, body: [paragraph(text), english] })
}

/** The page of a link whose request failed. */
export function failedLinkPage(locale: Locale, code: ErrorCode): string {
  const { lang, failed } = pageWords[locale]
  const text =
    code === 'payload_too_large' || code === 'rate_limited' || code === 'not_found'
      ? failed[code]
      : failed.other
  return renderPage({ lang, from: 'Carillon', title: failed.title, body: [paragraph(text)] })
}

function content(view: PageView): Pick<Page, 'title' | 'body'> {
  const words = pageWords[view.locale]
  switch (view.ask) {
    case 'mail':
      return mailContent(view, localise(view.locale, view.category))
    case 'preferences':
      return preferencesContent(view)
    case 'ended':
      return notice(words.ended)
    case 'copy_gone':
      return notice(words.copyGone)
    case 'do_not_remind': {
      if (view.state === 'done') return notice(words.remind.done)
      const { title, text, button } = words.remind.open
      return { title, body: [paragraph(text), form({ button })] }
    }
    case 'option': {
      const choice = html`<p class="choice">${localise(view.locale, view.label)}</p>\n`
      if (view.state !== 'open') {
        const { title, text } = words.option[view.state]
        return { title, body: [paragraph(text), choice] }
      }
      const { title, text, button } = words.option.open
      return { title, body: [choice, form({ button }), html`<p class="quiet">${text}</p>\n`] }
    }
  }
}

function mailContent(
  { locale, state }: Extract<LinkView, { ask: 'mail' }>,
  category: string,
): Pick<Page, 'title' | 'body'> {
  const { mail } = pageWords[locale]
  const more = html`<p class="quiet">${mail.others}</p>\n`
  if (state === 'fixed')
    return { title: mail.fixed.title, body: [paragraph(mail.fixed.text(category)), more] }
  const { title, text, button } = mail[state]
  const wanted = state === 'on' ? 'off' : 'on'
  return { title, body: [paragraph(text(category)), form({ button, wanted, mild: state === 'off' }), more] }
}

function notice({ title, text }: { title: string; text: string }): Pick<Page, 'title' | 'body'> {
  return { title, body: [paragraph(text)] }
}

function paragraph(text: string): Markup {
  return html`<p>${text}</p>\n`
}

function form({ button, wanted, mild = false }: { button: string; wanted?: 'on' | 'off'; mild?: boolean }) {
  const field = wanted ? html`<input type="hidden" name="wanted" value="${wanted}">` : html``
  return html`<form method="post">${field}<button class="${mild ? 'mild' : 'strong'}">${button}</button></form>\n`
}
