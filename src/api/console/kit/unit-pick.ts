import { html, type Markup } from '../../../channels/email/markup.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'

const label: Record<Locale, string> = { 'zh-TW': '單位', en: 'Unit' }

/** The unit that a page is about, in its form: to be chosen where the reader has several. */
export function unitPick(locale: Locale, units: readonly Unit[], unit: Unit): Markup {
  if (units.length < 2) return html`<input type="hidden" name="unit" value="${unit.id}">`
  const choices = units.map(
    (one) =>
      html`<option value="${one.id}"${one.id === unit.id ? html` selected` : html``}>${shownName(locale, one)}</option>`,
  )
  return html`<label>${label[locale]}<select name="unit">${choices}</select></label>`
}
