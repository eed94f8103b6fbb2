import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import type { Trace } from '../../../contract/trace.ts'
import { localise } from '../../../domain/content/localise.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { MessageView } from '../../../services/approvals/messages.ts'
import type { Members } from '../answers/organisers.ts'
import { actorName } from '../facts/actor-name.ts'
import { contentSection } from '../facts/content.ts'
import { factList } from '../facts/facts.ts'
import { messageFrames, previewsBeside } from '../facts/previews.ts'
import { box } from '../kit/box.ts'
import { confirmPage } from '../kit/confirm-page.ts'
import { numberOf, shortDateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { type Act, actsFor, peopleLeft } from './acts.ts'
import { stateTag } from './list.ts'
import { isMoving, progressSection } from './progress.ts'
import { answersSection, clicksSection, missedLines } from './results.ts'
import { messageWords } from './words.ts'

/**
 * What the reader may do besides reading. `copies`: make messages of the unit; `traces`: ask about one person; `reads`: see
 * who answered; `members`: name organisers, of these; null: they may not.
 */
export type MessageRights = { copies: boolean; traces: boolean; reads: boolean; members: Members | null }
/** What was just done, or why it was not. */
export type Done = { act: Act | 'organise' } | { refused: 'stale' | 'refused'; because?: string }
/** What was asked about one person; null: nobody has the uid. */
export type PersonTrace = { uid: string; trace: Trace | null }

/** The page of one message, in the order in which people ask about it. */
export function messagePage(
  locale: Locale,
  view: MessageView,
  rights: MessageRights,
  { done, personTrace }: { done?: Done | undefined; personTrace?: PersonTrace | undefined } = {},
): Page {
  const words = messageWords[locale]
  const { detail, unit } = view
  const moves = isMoving(view)
  const content = detail.content ? contentSection(locale, detail.content.messages, view) : html`<p>—</p>\n`
  const body = [
    done ? doneNotice(locale, done) : html``,
    moves ? lateNotice(locale, detail.id) : html``,
    html`<div id="progress" data-live${moves ? html` data-moving` : html``}>\n<p>${stateTag(words, detail)}</p>\n${progressSection(locale, view)}</div>\n`,
    html`<div id="acts" data-live>\n${actButtons(locale, view, rights)}</div>\n`,
    html`<div id="answers" data-live>\n${answersSection(locale, view, rights)}</div>\n`,
    clicksSection(locale, view),
    previewsBeside(
      locale,
      { ...view, frames: messageFrames(view) },
      html`<h2>${words.sections.facts}</h2>\n${factList(locale, view)}${missedSection(locale, view, rights, personTrace)}`,
    ),
    html`<details><summary>${words.sections.content}</summary>${content}</details>\n`,
    timelineSection(locale, view),
  ]
  const { lang } = kitWords[locale]
  const title = localise(locale, view.title)
  return {
    lang,
    from: shownName(locale, unit),
    title,
    body,
    width: 'broad',
    ...(moves && { script: 'live' as const }),
  }
}

function doneNotice(locale: Locale, done: Done): Markup {
  const words = messageWords[locale]
  if ('act' in done) {
    const text = words.done[done.act]
    return text === undefined ? html`` : box(locale, 'done', html`<p>${text}</p>`)
  }
  const { title, text } = words[done.refused]
  const because = done.because ? html`<p>${done.because}</p>` : html``
  return box(locale, 'wrong', html`<p><strong>${title}</strong></p><p>${text}</p>${because}`)
}

/** Shown by the script once it cannot fetch the page any more. */
function lateNotice(locale: Locale, id: string): Markup {
  const { late, refresh } = messageWords[locale]
  const notice = box(locale, 'note', html`<p>${late} <a href="/messages/${id}">${refresh}</a></p>`)
  return html`<div id="late" hidden>${notice}</div>\n`
}

/** Each leads to a page that says what it does, in numbers. */
function actButtons(locale: Locale, view: MessageView, rights: MessageRights): Markup {
  const words = messageWords[locale]
  const { id, allowed } = view.detail
  const decides = allowed.approve.allowed || allowed.reject.allowed
  const decide = decides
    ? html`<a class="strong" href="/approvals/message/${id}">${words.decide}</a>\n`
    : html``
  const buttons = actsFor(view.detail, rights.copies).map(
    (act) => html`<button class="mild" name="act" value="${act}">${words.acts[act].button}</button>\n`,
  )
  // A draft is changed on the page on which messages are written.
  const edits = allowed.edit.allowed && rights.copies
  const edit = edits
    ? html`<form method="post" action="/compose"><input type="hidden" name="message" value="${id}"><button class="strong">${words.edit}</button></form>\n`
    : html``
  const refresh = isMoving(view) ? html`<p><a href="/messages/${id}">${words.refresh}</a></p>\n` : html``
  return html`${refresh}${decide}${edit}<form class="acts">\n${buttons}</form>\n`
}

function missedSection(
  locale: Locale,
  view: MessageView,
  { traces }: MessageRights,
  personTrace: PersonTrace | undefined,
): Markup {
  const words = messageWords[locale]
  const lines = missedLines(locale, view)
  if (lines.length === 0 && view.detail.snapshot === null) return html``
  return html`<h2 id="missed">${words.sections.missed}</h2>
${[
  ...lines.map((line) => html`<p>${line}</p>\n`),
  traces ? traceForm(locale, personTrace) : html`<p class="quiet">${words.trace.forbidden}</p>\n`,
  personTrace ? traceLines(locale, view, personTrace) : html``,
]}`
}

/** The uid is sent in the body: it stands in no address, and so in no log. */
function traceForm(locale: Locale, personTrace: PersonTrace | undefined): Markup {
  const { label, hint, button } = messageWords[locale].trace
  const about = html`maxlength="${limits.uidLength}" required autocomplete="off" aria-describedby="uid-hint"`
  return html`<details${personTrace ? html` open` : html``}><summary>${label}</summary>
<form method="post" action="#missed"><input type="hidden" name="act" value="trace">
<label class="spoken" for="uid">${label}</label>
<p class="quiet" id="uid-hint">${hint}</p>
<input id="uid" name="uid" type="text" ${about} value="${personTrace?.uid ?? ''}">
<button class="mild">${button}</button></form></details>\n`
}

function traceLines(locale: Locale, { unit }: MessageView, { uid, trace }: PersonTrace): Markup {
  const { title, unknown, ids } = messageWords[locale].trace
  if (trace === null) return html`<p role="status">${unknown}</p>\n`
  const rows = trace.items.map(({ at, text, brief }) => {
    const when =
      at === null ? html`` : html`<span class="quiet">${shortDateOf(locale, unit.timeZone, at)}</span> `
    const names = brief
      ? html`<details><summary>${ids}</summary><p class="quiet">${localise(locale, text)}</p></details>`
      : html``
    return html`<li>${when}${localise(locale, brief ?? text)}${names}</li>\n`
  })
  return html`<div role="status"><h3>${title(uid)}</h3>\n<ol class="history">\n${rows}</ol></div>\n`
}

function timelineSection(locale: Locale, { detail, unit }: MessageView): Markup {
  const { sections, moves } = messageWords[locale]
  const rows = detail.timeline.map(({ at, action, by, reason }) => {
    const why = reason ? html`<p class="quiet">${reason}</p>` : html``
    return html`<li><span class="quiet">${shortDateOf(locale, unit.timeZone, at)}</span> ${moves[action] ?? action} · ${actorName(locale, by)}${why}</li>\n`
  })
  return html`<details><summary>${sections.timeline}</summary><ol class="history">\n${rows}</ol></details>\n`
}

/**
 * The page between the two presses of an act. `key`: names what it makes, so that a second press makes nothing more;
 * `inputs`: what else is filled in.
 */
export function confirmActPage(
  locale: Locale,
  view: MessageView,
  act: Act,
  { key, inputs }: { key: string; inputs: Markup },
): Page {
  const words = messageWords[locale]
  const { title, text, confirm } = words.acts[act]
  const people = kitWords[locale].people(numberOf(locale, peopleLeft(view.detail)))
  return confirmPage(locale, view.unit, {
    ...{ title, text: text(people), subject: localise(locale, view.title) },
    path: `/messages/${view.id}`,
    fields: { act, version: view.version, key },
    inputs,
    ...{ button: confirm, back: words.back },
  })
}
