import type { Locale } from '../../../contract/enums.ts'
import type { HandoffDetail } from '../../../contract/handoffs.ts'
import { limits } from '../../../contract/limits.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { HandoffView } from '../../../services/handoffs/view.ts'
import { contentBlocks } from '../facts/content.ts'
import { box } from '../kit/box.ts'
import { dateOf, numberOf, shortDateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { handoffsLink } from './list.ts'
import { type HandoffWords, handoffWords, type Unsent } from './words.ts'

/** A reply that was just sent and not stored. `because`: what the chat cannot show of it. */
export type Draft = { why: Unsent; text: string; because?: string[] }

/**
 * The page of one conversation, with the forms to reply and to close it, or how it ended. `key`: names the next reply.
 * `draft`: the reply that was just sent and not stored.
 */
export function handoffPage(locale: Locale, view: HandoffView, key: string, draft?: Draft): Page {
  const words = handoffWords[locale]
  const { handoff, unit } = view
  const body = [
    handoff.closedAt === null ? html`` : endLine(locale, view),
    factList(locale, view),
    earlier(locale, view),
    html`<h2>${words.talk}</h2>\n`,
    conversation(locale, view),
    mayChange(handoff) ? html`<p><a href="/handoffs/${handoff.id}">${words.refresh}</a></p>\n` : html``,
    draft ? unsentNotice(locale, draft) : html``,
    handoff.closedAt === null ? replyForm(locale, view, key, draft) : unsentText(words, draft),
    handoff.closedAt === null ? closeForm(words, view) : html``,
    handoffsLink(locale),
  ]
  const title = words.title(handoff.person?.displayName ?? handoff.uid ?? words.nobody)
  const { lang } = kitWords[locale]
  return { lang, from: shownName(locale, unit), title, body, width: 'wide' }
}

/** Whether there may be something new to read: until it is closed and every reply has its outcome. */
function mayChange({ closedAt, messages }: HandoffDetail): boolean {
  return closedAt === null || messages.some(({ state }) => state === 'pending')
}

function endLine(locale: Locale, { handoff, unit }: HandoffView): Markup {
  const { ended, endedAt } = handoffWords[locale]
  const { reason, closedBy, closedAt } = handoff
  const how = ended[reason!](closedBy?.name ?? '')
  return box(locale, 'note', html`<p>${endedAt(how, dateOf(locale, unit.timeZone, closedAt!))}</p>`)
}

function factList(locale: Locale, { handoff, unit, scenario }: HandoffView): Markup {
  const words = handoffWords[locale]
  const source = scenario === null ? words.assistant : words.scenario(scenario)
  const tag = handoff.test ? html` <span class="tag">${words.test}</span>` : html``
  const since = dateOf(locale, unit.timeZone, handoff.openedAt)
  const silence = handoff.closedAt === null ? html`<p class="quiet">${words.silence}</p>` : html``
  return html`<dl class="facts">
${personOf(locale, handoff)}<dt>${words.labels.from}</dt><dd><p>${source}${tag}</p></dd>
<dt>${words.labels.since}</dt><dd><p>${since}</p>${silence}</dd>
</dl>\n`
}

/** Who writes: name, uid, language, classes and organisational units, as far as they are known. */
function personOf(locale: Locale, { person, uid }: HandoffDetail): Markup {
  if (person === null) return html``
  const { comma, languages, person: named } = kitWords[locale]
  const name = person.displayName === null ? (uid ?? '') : named(person.displayName, uid ?? '')
  const facts = [languages[person.locale], ...person.classIds, ...person.orgUnits].join(comma)
  return html`<dt>${handoffWords[locale].labels.person}</dt><dd><p>${name}</p><p class="quiet">${facts}</p></dd>\n`
}

/** What was said in the scenario, there to be unfolded. */
function earlier(locale: Locale, { before, handoff, unit }: HandoffView): Markup {
  if (before === null || before.length === 0) return html``
  const words = handoffWords[locale]
  const rows = before.map((one) => {
    const at = shortDateOf(locale, unit.timeZone, one.at)
    if (one.from === 'unit')
      return html`<li class="ours"><span class="quiet">${at}</span>${contentBlocks(locale, one.messages)}</li>\n`
    const head = `${handoff.uid ?? words.nobody} · ${at}`
    return html`<li><span class="quiet">${head}</span><p class="block">${localise(locale, one.text)}</p></li>\n`
  })
  return html`<details><summary>${words.before}</summary><ol class="talk">\n${rows}</ol></details>\n`
}

type Message = HandoffDetail['messages'][number]

/** What was said, the newest last. */
function conversation(locale: Locale, { handoff, unit }: HandoffView): Markup {
  const words = handoffWords[locale]
  const { messages, omitted } = handoff
  const older =
    omitted > 0 ? html`<p class="quiet">${words.omitted(numberOf(locale, omitted))}</p>\n` : html``
  if (messages.length === 0) return html`<p>${words.nothing}</p>\n`
  const rows = messages.map((message, index) => {
    const id = index === messages.length - 1 ? html` id="newest"` : html``
    const side = message.from === 'unit' ? html` class="ours"` : html``
    const at = shortDateOf(locale, unit.timeZone, message.at)
    return html`<li${id}${side}><span class="quiet">${headOf(words, handoff, message, at)}</span>${wordMessage(locale, message)}</li>\n`
  })
  return html`${older}<ol class="talk">\n${rows}</ol>\n`
}

/** The author, the time, and the outcome of a reply. */
function headOf(
  words: HandoffWords,
  { uid }: HandoffDetail,
  { by, state, reason }: Message,
  at: string,
): string {
  if (state === null) return `${uid ?? words.nobody} · ${at}`
  const why = reason === null ? [] : [words.reasons[reason] ?? words.because(reason)]
  return [by?.name ?? '', at, words.states[state], ...why].join(' · ')
}

function wordMessage(locale: Locale, { from, text, messages }: Message): Markup {
  const { noText, gone } = handoffWords[locale]
  if (from === 'unit') return messages ? contentBlocks(locale, messages) : html`<p class="block">${gone}</p>`
  return html`<p class="block">${text ?? noText}</p>`
}

function unsentNotice(locale: Locale, { why, because = [] }: Draft): Markup {
  const { title, text } = handoffWords[locale].unsent[why]
  const reasons = because.map((one) => html`<p>${one}</p>`)
  return box(locale, 'wrong', html`<p><strong>${title}</strong></p><p>${text}</p>${reasons}`)
}

/** What can no longer be sent, so that it is not lost. */
function unsentText({ yourText }: HandoffWords, draft: Draft | undefined): Markup {
  return draft?.text ? html`<p>${yourText}</p>\n<p class="block">${draft.text}</p>\n` : html``
}

function replyForm(
  locale: Locale,
  { handoff, reach }: HandoffView,
  key: string,
  draft: Draft | undefined,
): Markup {
  const words = handoffWords[locale]
  const { label, hint, button, another } = words.reply
  const warning = reach === 'ok' ? html`` : box(locale, 'wrong', html`<p>${words.reach[reach]}</p>`)
  if (reach === 'unbound') return html`${warning}${unsentText(words, draft)}`
  const newestId = handoff.messages.at(-1)?.id ?? ''
  const invalid = draft ? html` aria-invalid="true" autofocus` : html``
  return html`${warning}<form method="post"><input type="hidden" name="act" value="reply">
<input type="hidden" name="key" value="${key}"><input type="hidden" name="seen" value="${newestId}">
<label for="text">${label}</label>
<p class="quiet" id="hint">${hint}</p>
<textarea id="text" name="text" rows="5" maxlength="${limits.handoffTextLength}" required aria-describedby="hint"${invalid}>
${draft?.text ?? ''}</textarea>
<button class="strong">${draft?.why === 'answered' ? another : button}</button></form>\n`
}

function closeForm({ close }: HandoffWords, { handoff }: HandoffView): Markup {
  const goesOn = handoff.openedBy === 'assistant' ? html`` : html`<p>${close.goesOn}</p>`
  return html`<details class="reject"><summary>${close.open}</summary>
<form method="post"><input type="hidden" name="act" value="close"><p>${close.text}</p>${goesOn}
<p></p><button class="mild">${close.button}</button></form></details>\n`
}
