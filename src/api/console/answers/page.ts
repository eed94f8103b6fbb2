import type { Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { AnswerSheet } from '../../../services/answers/sheet.ts'
import type { Page as Items } from '../../../services/page.ts'
import { type AnswerRow, answerCells, answerHeads, timeHead } from '../../answer-table.ts'
import { shortDateOf } from '../kit/format.ts'
import { head, listTable } from '../kit/list-frame.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { answersWords } from './words.ts'

/** `path`: of what was answered; `from`: its unit, as people read it; `q`: who is looked for. */
type AnswersPageProps = { path: string; from: string; sheet: AnswerSheet<AnswerRow>; q: string }

/** A page of who answered what, one row for each person, or a card in a narrow window. */
export function answersPage(
  locale: Locale,
  { path, from, sheet, q }: AnswersPageProps,
  { items, nextCursor }: Items<AnswerRow>,
): Page {
  const words = answersWords[locale]
  const address = `${path}/answers`
  const title = words.title(localise(locale, sheet.title))
  const all = q === '' ? html`` : html` <a href="${address}">${words.all}</a>`
  const most = limits.searchLength
  const field = html`<input type="search" name="q" maxlength="${most}" value="${q}" autocomplete="off">`
  const body = [
    html`<p class="quiet">${words.hint}</p>\n<p><a href="${address}.csv">${words.csv}</a></p>\n`,
    html`<form method="post" class="filters" role="search"><label>${words.search}${field}</label>
<button class="mild">${words.find}</button>${all}</form>\n`,
    items.length > 0
      ? tableOf(locale, { sheet, title }, items)
      : html`<p>${q === '' ? words.none : words.nothingFound}</p>\n`,
    nextCursor === null ? html`` : nextForm(locale, q, nextCursor),
    html`<p><a href="${path}">${words.back}</a></p>\n`,
  ]
  return { lang: kitWords[locale].lang, from, title, body, width: 'broad' }
}

function tableOf(
  locale: Locale,
  { sheet, title }: { sheet: AnswerSheet<AnswerRow>; title: string },
  items: readonly AnswerRow[],
): Markup {
  const names = [...answerHeads(locale, sheet), timeHead(locale)]
  const uidAt = sheet.places ? 1 : 0
  const rows = items.map((item) => {
    const cells = [...answerCells(locale, sheet, item), shortDateOf(locale, sheet.timeZone, item.at)]
    const last = cells.length - 1
    return html`<tr>${cells.map((text, at) => {
      if (at === uidAt) return html`<th scope="row" class="whole">${text}</th>`
      const whole = at <= (sheet.places ? 3 : 1) || at === last ? html` class="whole"` : html``
      return html`<td data-head="${names[at]!}"${whole}>${text}</td>`
    })}</tr>\n`
  })
  const table = listTable(
    names.map((name) => head(name)),
    rows,
  )
  return html`<div class="answers scrolls" tabindex="0" role="group" aria-label="${title}">${table}</div>\n`
}

/** Who is looked for is sent in the body: a name stands in no address, and so in no log. */
function nextForm(locale: Locale, q: string, cursor: string): Markup {
  const hidden = html`<input type="hidden" name="q" value="${q}">`
  return html`<form method="post">${hidden}<button class="mild" name="cursor" value="${cursor}">${answersWords[locale].next}</button></form>\n`
}
