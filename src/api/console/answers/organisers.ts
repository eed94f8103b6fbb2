import type { Organisers } from '../../../contract/answers.ts'
import type { Locale } from '../../../contract/enums.ts'
import { idOrNull } from '../../../domain/lib/id.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { kitWords } from '../kit/words.ts'
import { answersWords } from './words.ts'

/** The members of a unit, of whom organisers are chosen. */
export type Members = readonly { id: string; name: string }[]

/** The name of the field that has an organiser. */
const field = 'organiser'

/** The ids that a form names as organisers. */
export function organisersIn(form: URLSearchParams): string[] {
  return form
    .getAll(field)
    .map(idOrNull)
    .filter((id) => id !== null)
}

/** Who the organisers are; and for who may change them, `members` to choose from. */
export function organisersSection(locale: Locale, organisers: Organisers, members: Members | null): Markup {
  const { title, none, hint, later, change, button } = answersWords[locale].organisers
  const names = organisers.map(({ name }) => name).join(kitWords[locale].comma)
  const form = html`<details><summary>${change}</summary>
<form method="post">${organiserChoice(locale, members ?? [], organisers)}<p class="quiet">${later}</p>
<div class="acts"><button class="mild" name="act" value="organise">${button}</button></div></form></details>\n`
  return html`<h2 id="organisers">${title}</h2>\n<p>${names || none}</p>\n${members ? form : html`<p class="quiet">${hint}</p>\n`}`
}

/** The members of a unit, to be ticked. */
export function organiserChoice(locale: Locale, members: Members, organisers: Organisers = []): Markup {
  const { title, hint } = answersWords[locale].organisers
  const chosen = new Set(organisers.map(({ id }) => id))
  const boxes = members.map(
    ({ id, name }) =>
      html`<label class="pick"><input type="checkbox" name="${field}" value="${id}"${chosen.has(id) ? html` checked` : html``}>${name}</label>\n`,
  )
  return html`<p class="quiet">${hint}</p>\n<div class="picks" role="group" aria-label="${title}">\n${boxes}</div>\n`
}
