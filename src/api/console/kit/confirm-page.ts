import type { Locale } from '../../../contract/enums.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { Page } from './page.ts'
import { kitWords } from './words.ts'

/**
 * `subject`: what it happens to; `path`: of its page, which takes the form and is led back to; `fields`: of the form;
 * `inputs`: what is filled in there.
 */
type Confirmed = {
  title: string
  text: string
  subject: string
  facts?: Markup
  path: string
  fields: Readonly<Record<string, string | number>>
  inputs?: Markup
  button: string
  back: string
}

/** The page between the two presses of what cannot be taken back. */
export function confirmPage(locale: Locale, unit: Unit, confirmed: Confirmed): Page {
  const { title, text, subject, facts = html``, path, fields, inputs = html``, button, back } = confirmed
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  const body = [
    html`<p>${text}</p>\n`,
    html`<p class="choice">${subject}</p>\n`,
    facts,
    html`<form method="post" action="${path}">${hidden}${inputs}<button class="strong">${button}</button></form>\n`,
    html`<p><a href="${path}">${back}</a></p>\n`,
  ]
  return { lang: kitWords[locale].lang, from: shownName(locale, unit), title, body }
}
