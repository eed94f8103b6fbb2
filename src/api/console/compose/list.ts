import type { Locale } from '../../../contract/enums.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { ListItem } from '../../../services/compositions/compositions.ts'
import { confirmPage } from '../kit/confirm-page.ts'
import { shortDateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { composeWords } from './words.ts'

/** What is being written in a unit, and a button for a new message. */
export function compositionsPage(
  locale: Locale,
  { unit, begin }: { unit: Unit; begin: Markup },
  items: readonly ListItem[],
): Page {
  const words = composeWords[locale]
  const rows = items.map((item) => rowOf(locale, unit, item))
  const body = [
    html`<p>${words.beginText}</p>
${begin}`,
    html`<h2>${words.listTitle}</h2>\n${rows.length === 0 ? html`<p>${words.none}</p>\n` : html`<ul class="waiting">\n${rows}</ul>\n`}`,
  ]
  const { lang } = kitWords[locale]
  return { lang, from: shownName(locale, unit), title: words.title, body, width: 'wide' }
}

function rowOf(locale: Locale, { timeZone }: Unit, item: ListItem): Markup {
  const words = composeWords[locale]
  const saved = words.saved(
    item.updatedByName ?? item.updatedBy,
    shortDateOf(locale, timeZone, item.updatedAt.toISOString()),
  )
  const title =
    item.title === null
      ? html`${words.personal}`
      : html`<a href="/compose/${item.id}">${item.title || words.untitled}</a>`
  return html`<li>${title}<span class="quiet">${saved}</span></li>\n`
}

/** The page between the two presses that discard what is written. */
export function discardPage(locale: Locale, unit: Unit, item: Pick<Composition, 'id' | 'title'>): Page {
  const words = composeWords[locale]
  return confirmPage(locale, unit, {
    ...{ title: words.discard, text: words.discardText, subject: item.title || words.untitled },
    path: `/compose/${item.id}`,
    fields: { act: 'discarded' },
    ...{ button: words.confirmDiscard, back: words.keep },
  })
}
