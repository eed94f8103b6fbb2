import { Cleared } from '../../channels/cleared.ts'
import { localise } from '../../domain/content/localise.ts'
import { html, type Markup } from '../../html/markup.ts'
import { typedMost } from '../../services/links/answer-page.ts'
import type { LinkView } from '../../services/links/links.ts'
import type { ConversationView } from '../../services/links/read-page.ts'
import type { OpeningView } from '../../services/links/start-on-page.ts'
import { type Page, renderPage } from '../console/kit/page.ts'
import { conversationWords } from './conversation-words.ts'
import { drawTurn } from './draw-turn.ts'
import { pageWords } from './words.ts'

type Content = Pick<Page, 'title' | 'body'>

/**
 * The page of a link that begins a conversation: its first question, whose answer starts and answers in one; or a button that
 * only starts. It reads the same for everybody.
 */
export function openingContent(
  { locale, category, label }: Extract<LinkView, { ask: 'option' }>,
  { says, asks, over, takesText }: OpeningView,
): Content {
  const words = conversationWords[locale]
  const name = localise(locale, category)
  const { content, choices } = drawTurn(locale, 0, says)
  if (over) return { title: name, body: [content] }
  if (asks === null) {
    const pressed = says.length > 0 ? content : html`<p class="choice">${localise(locale, label)}</p>\n`
    const start = html`<form method="post"><button class="strong">${words.start}</button></form>\n`
    return { title: name, body: [pressed, quiet(words.aboutStart), start] }
  }
  const typed = takesText ? textField(locale, 0) : html``
  return { title: name, body: [content, quiet(words.aboutFirst), form(choices, typed)] }
}

/** The page on which a conversation goes on after an answer. */
export function conversationPage(view: ConversationView): string {
  const { locale, unit, category } = view
  const { lang } = pageWords[locale]
  const words = conversationWords[locale]
  const state = words.states[view.is]
  const title = state?.title ?? (isThanks(view) ? words.thanks.title : localise(locale, category))
  return renderPage({ lang, from: unit, title, body: bodyOf(view) })
}

/** An answer after which nothing is said on the page. */
function isThanks({ turns, is }: ConversationView): boolean {
  return turns.length === 0 && (is === 'ended' || is === 'waits')
}

function bodyOf(view: ConversationView): Markup[] {
  const { locale, is, turns, takesText } = view
  const words = conversationWords[locale]
  const drawn = turns.map(({ number, says }) => drawTurn(locale, number, Cleared.contentFor(says)))
  const last = turns.at(-1)?.number ?? 0
  const state = words.states[is]
  const typed = takesText && is === 'asks' ? textField(locale, last) : html``
  const choices = drawn.at(-1)?.choices ?? []
  const answers = is === 'asks' && (choices.length > 0 || takesText)
  return [
    ...(state ? [paragraph(state.text)] : []),
    ...(isThanks(view) ? [paragraph(words.thanks.text)] : []),
    ...drawn.map(({ content }) => content),
    ...(answers ? [form(choices, typed)] : []),
    ...notes(view),
  ]
}

/** What does not stand on the page: where it is, and that nothing more is to be done here. */
function notes({ locale, is, elsewhere, lost }: ConversationView): Markup[] {
  const words = conversationWords[locale]
  const hidden = is === 'passed' || is === 'expired'
  const by = elsewhere && words.by(elsewhere.channel)
  return [
    ...(by && elsewhere && !hidden ? [note(elsewhere.sent ? words.sent(by) : words.willBeSent(by))] : []),
    ...(lost && !hidden ? [note(words.lost)] : []),
    ...(is === 'ended' ? [quiet(words.over)] : []),
    ...(is === 'waits' ? [quiet(words.waiting)] : []),
    ...(is === 'moving' ? [html`<p><a href="">${words.again}</a></p>\n`] : []),
  ]
}

/** An option beside the field is sent without a text. */
function form(choices: Markup[], typed: Markup): Markup {
  return html`<form method="post" class="answers">\n${choices}${typed}</form>\n`
}

function textField(locale: ConversationView['locale'], turn: number): Markup {
  const { text, send } = conversationWords[locale]
  return html`<input type="hidden" name="turn" value="${turn}">
<label for="text">${text}</label>
<textarea id="text" name="text" rows="3" maxlength="${typedMost}" required></textarea>
<button class="strong">${send}</button>\n`
}

function paragraph(text: string): Markup {
  return html`<p>${text}</p>\n`
}

function note(text: string): Markup {
  return html`<p class="choice" role="status">${text}</p>\n`
}

function quiet(text: string): Markup {
  return html`<p class="quiet">${text}</p>\n`
}
