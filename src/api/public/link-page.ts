import type { Locale } from '../../contract/enums.ts'
import type { ErrorCode } from '../../contract/errors.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { clip } from '../../domain/content/graphemes.ts'
import { localise } from '../../domain/content/localise.ts'
import { spokenTime } from '../../domain/content/reminder-time.ts'
import { html, type Markup } from '../../html/markup.ts'
import type { LinkView } from '../../services/links/links.ts'
import { type Page, renderPage } from '../console/kit/page.ts'
import { openingContent } from './conversation-page.ts'
import { preferencesContent } from './preferences-page.ts'
import { pageWords } from './words.ts'

type Content = Pick<Page, 'title' | 'body'>
type View<Ask> = Extract<LinkView, { ask: Ask }>
/** What has a page; the copy of a mail is one itself. */
type PageView = Exclude<LinkView, { ask: 'copy' | 'goes_on' }>

/**
 * The page of a link in a mail: asks for confirmation, or confirms what was done. Its form posts to its own address.
 * What a link allows does not grow (docs/design/links.md): the page leads on only to `settings`, and
 * only where the link was signed for them.
 */
export function linkPage(view: PageView, settings: string | null): string {
  const { lang } = pageWords[view.locale]
  return renderPage({ lang, from: view.unit, ...content(view, settings) })
}

/** The page of a link without a recipient, in both languages, since the recipient's is unknown. */
export function plainPage(kind: 'sample' | 'copy' | 'unknown' | 'unsent' | 'gone'): string {
  const { 'zh-TW': zh, en } = pageWords
  const english = html`<p lang="en" class="quiet">${en[kind].title}. ${en[kind].text}</p>\n`
  const { title, text } = zh[kind]
  return renderPage({ lang: zh.lang, from: 'Carillon', title, body: [paragraph(text), english] })
}

/** The page of a link whose request failed: to open it, or to make its change. */
export function failedLinkPage(locale: Locale, code: ErrorCode, to: 'open' | 'change'): string {
  const { lang, failed } = pageWords[locale]
  const text =
    code === 'payload_too_large' || code === 'rate_limited' || code === 'not_found'
      ? failed[code]
      : failed.other
  return renderPage({ lang, from: 'Carillon', title: failed[to], body: [paragraph(text)] })
}

function content(view: PageView, settings: string | null): Content {
  const words = pageWords[view.locale]
  switch (view.ask) {
    case 'mail':
      return mailContent(view)
    case 'mute':
      return muteContent(view, settings)
    case 'preferences':
      return preferencesContent(view)
    case 'ended':
      return notice(words.ended)
    case 'copy_gone':
      return notice(words.copyGone)
    case 'do_not_remind':
      return reminderContent(view)
    case 'option':
      return optionContent(view)
  }
}

function mailContent({ locale, state, category }: View<'mail'>): Content {
  const { mail, others } = pageWords[locale]
  const name = localise(locale, category)
  const more = quiet(others)
  if (state === 'fixed') return { title: mail.fixed.title, body: [paragraph(mail.fixed.text(name)), more] }
  const { title, text, button } = mail[state]
  const wanted = state === 'off' ? 'on' : 'off'
  return { title, body: [paragraph(text(name)), form({ button, wanted, mild: state !== 'on' }), more] }
}

function muteContent({ locale, state, muted, channels }: View<'mute'>, settings: string | null): Content {
  const { mail, mute, others } = pageWords[locale]
  const name = localise(locale, muted)
  const more = settings ? html`<p><a href="${settings}">${mute.settings}</a></p>\n` : quiet(others)
  if (state === 'fixed') return { title: mail.fixed.title, body: [paragraph(mail.fixed.text(name)), more] }
  const { title, text, button } = mute[state]
  const off = state === 'off'
  const fields = {
    button,
    wanted: off ? 'on' : 'off',
    channels: off ? channels : [],
    mild: state !== 'on',
  } as const
  return { title, body: [paragraph(text(name, mute.by(channels))), form(fields), more] }
}

function reminderContent({ locale, state, reminder }: View<'do_not_remind'>): Content {
  const { remind } = pageWords[locale]
  if (state !== 'open') return notice(remind[state])
  const { title, text, button } = remind.open
  const when = reminder ? spokenTime(locale, reminder).moment : ''
  return { title, body: [paragraph(text(when)), form({ button })] }
}

/** The question stands above the option, as in the mail. */
function optionContent(view: View<'option'>): Content {
  const { locale, state, question, label, before, final, opening } = view
  if (state === 'open' && opening) return openingContent(view, opening)
  const { option } = pageWords[locale]
  const chosen = (text: LocalisedText) => html`<p class="choice">${localise(locale, text)}</p>\n`
  const questionLine = html`<p class="question">${clip(localise(locale, question).trim(), questionCharacters)}</p>\n`
  const earlier = before && localise(locale, before)
  if (state === 'over' || state === 'answered') {
    const { title, text, yours } = option[state]
    return {
      title,
      body: [paragraph(text), questionLine, ...(before ? [paragraph(yours), chosen(before)] : [])],
    }
  }
  if (state === 'not_active') return notice(option.notActive)
  if (state === 'registered') return notice(option.registered)
  if (state === 'registered_before') return notice(option.registeredBefore)
  if (state === 'done') {
    const { title, text, change } = earlier ? option.changed(earlier) : option.done
    return { title, body: [paragraph(text), questionLine, chosen(label), ...(final ? [] : [quiet(change)])] }
  }
  const { title, text, button } = earlier ? option.change(earlier) : option.open
  return { title, body: [questionLine, chosen(label), paragraph(text), form({ button })] }
}

/** A question may be a long text; its beginning says which one it is. In grapheme clusters. */
const questionCharacters = 280

function notice({ title, text }: { title: string; text: string }): Content {
  return { title, body: [paragraph(text)] }
}

function paragraph(text: string): Markup {
  return html`<p>${text}</p>\n`
}

function quiet(text: string): Markup {
  return html`<p class="quiet">${text}</p>\n`
}

type Form = { button: string; wanted?: 'on' | 'off'; channels?: readonly string[]; mild?: boolean }

function form({ button, wanted, channels = [], mild = false }: Form): Markup {
  const field = wanted ? hidden('wanted', wanted) : html``
  const fields = channels.map((channel) => hidden('channel', channel))
  return html`<form method="post">${field}${fields}<button class="${mild ? 'mild' : 'strong'}">${button}</button></form>\n`
}

function hidden(name: string, value: string): Markup {
  return html`<input type="hidden" name="${name}" value="${value}">`
}
