import type { Locale } from '../../../contract/enums.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { box } from '../kit/box.ts'
import { timeOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { carried, type FormState } from './inputs.ts'
import { composeWords } from './words.ts'

/** What every form says besides its fields. `theirs`: another version that somebody has saved since it was shown. */
export type FrameProps = {
  unit: Unit
  composition: Composition
  theirs: Composition | null
}

/** `aside`: what is offered besides saving; `submit`: the button that ends the writing, empty while it cannot. */
type Parts = {
  title: string
  form: FormState
  sections: Markup[]
  check: Markup
  aside: Markup
  submit: Markup
  preview: Markup
  notice: Markup
}

/**
 * The page on which something is written: the form, and beside it what people would see. The script saves it while people
 * write (src/api/console/compose/compose.js), and shows anew what is marked `data-live`; without it, each press does.
 */
export function composeFrame(locale: Locale, { unit, composition, theirs }: FrameProps, parts: Parts): Page {
  const { check, sections, states, discard, noScript } = composeWords[locale]
  const { id, version } = composition
  const state = theirs ? html`<a href="#stale">${states.stale}</a>` : savedText(locale, unit, composition)
  // What the script writes there.
  const saying = (['saving', 'failed', 'over', 'restored', 'refused'] as const).map(
    (name) => html` data-${name}="${states[name]}"`,
  )
  const form = html`<form method="post" action="/compose/${id}" class="compose" id="compose" data-unit="${unit.id}" autocomplete="off">
<button class="spoken" name="act" value="check" tabindex="-1" aria-hidden="true">${check}</button>
<input type="hidden" name="version" value="${version}">
<div id="fields">${parts.sections}${carried(parts.form)}</div>
<h2>${sections.check}</h2>\n<div id="check" data-live aria-live="polite">${parts.check}</div>
<p class="acts">${parts.aside} <a href="/compose/${id}?act=discard">${discard}</a></p>
<div class="decide"><p class="quiet" id="state" data-live role="status"${saying}>${state}</p>
<button class="strong" name="act" value="check">${check}</button>
<span id="submit" data-live>${parts.submit}</span></div></form>\n`
  const body = [
    html`<noscript><p class="quiet">${noScript}</p></noscript>\n`,
    parts.notice,
    html`<div id="stale" data-live>${theirs ? staleNotice(locale, unit, theirs) : html``}</div>\n`,
    html`<div class="facing">\n<div>${form}</div>\n<div class="seen" id="seen" data-live>${parts.preview}</div></div>\n`,
  ]
  const { lang } = kitWords[locale]
  const from = shownName(locale, unit)
  return { lang, from, title: parts.title, body, width: 'broad', script: 'compose' }
}

function savedText(
  locale: Locale,
  { timeZone }: Unit,
  { updatedBy, updatedByName, updatedAt }: Composition,
): string {
  const moment = timeOf(locale, timeZone, updatedAt.toISOString())
  return composeWords[locale].saved(updatedByName ?? updatedBy, moment)
}

/** Two people have written at once: the one who saves second chooses whose words stay. */
function staleNotice(locale: Locale, unit: Unit, theirs: Composition): Markup {
  const { stale } = composeWords[locale]
  const name = theirs.updatedByName ?? theirs.updatedBy
  const moment = timeOf(locale, unit.timeZone, theirs.updatedAt.toISOString())
  const mine = html`<button class="mild small" form="compose" name="act" value="check">${stale.mine}</button>`
  const reload = html`<a href="/compose/${theirs.id}" data-forget>${stale.theirs}</a>`
  const text = html`<p><strong>${stale.title}</strong></p><p>${stale.text(name, moment)}</p>`
  return box(locale, 'wrong', html`${text}<div class="acts">${mine}${reload}</div>`)
}
