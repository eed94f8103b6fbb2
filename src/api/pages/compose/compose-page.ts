import { html, type Markup } from '../../../channels/email/markup.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { numberOf, timeOf } from '../approvals/format.ts'
import { previewSection } from '../approvals/previews.ts'
import { approvalWords } from '../approvals/words.ts'
import type { Page } from '../page.ts'
import { type Check, checkSection, isComplete } from './check.ts'
import { carried, type Written } from './inputs.ts'
import { type Sources, whatSection } from './what.ts'
import { whenSection } from './when.ts'
import { type Choices, whomSection } from './whom.ts'
import { composeWords } from './words.ts'

/** `theirs`: another version that somebody else has saved since this form was shown; `tested`: how a test went. */
type Shown = {
  unit: Unit
  composition: Composition
  sources: Sources
  choices: Choices
  check: Check
  pictures: string | null
  theirs: Composition | null
  tested: 'sent' | null
}

/**
 * The page on which a message is written: the form, and beside it what recipients would see. The script saves it while
 * people write (src/api/assets/compose.js), and shows anew what is marked `data-live`; without it, each press does.
 */
export function composePage(locale: Locale, shown: Shown): Page {
  const words = composeWords[locale]
  const { unit, composition, check, tested } = shown
  const { id, version } = composition
  const written: Written = { locale, fields: composition.form, issues: check.issues, shown: new Set() }
  const sections = [
    whatSection(written, shown.sources),
    whomSection(written, shown.choices),
    whenSection(written, unit),
  ]
  const form = html`<form method="post" action="/compose/${id}" class="compose" id="compose" data-unit="${unit.id}" autocomplete="off">
<button class="spoken" name="act" value="check" tabindex="-1" aria-hidden="true">${words.check}</button>
<input type="hidden" name="version" value="${version}">
<div id="fields">${sections}${carried(written)}</div>
<h2>${words.sections.check}</h2>\n<div id="check" data-live aria-live="polite">${checkSection(written, unit, check)}</div>
<p class="acts"><button class="mild small" name="act" value="test">${words.test}</button> <a href="/compose/${id}?act=discard">${words.discard}</a></p>
<div class="decide"><p class="quiet" id="state" data-live role="status" data-saving="${words.states.saving}" data-failed="${words.states.failed}" data-over="${words.states.over}" data-restored="${words.states.restored}" data-refused="${words.states.refused}">${shown.theirs ? html`<a href="#stale">${words.states.stale}</a>` : savedText(locale, unit, composition)}</p><button class="strong" name="act" value="check">${words.check}</button><span id="submit" data-live>${submitButton(locale, check)}</span></div></form>\n`
  const body = [
    html`<noscript><p class="quiet">${words.noScript}</p></noscript>\n`,
    tested ? html`<p class="saved" role="status">${words.tested[tested]}</p>\n` : html``,
    html`<div id="stale" data-live>${shown.theirs ? staleNotice(locale, unit, shown.theirs) : html``}</div>\n`,
    html`<div class="facing">\n<div>${form}</div>\n<div class="seen" id="seen" data-live>${seen(locale, shown)}</div></div>\n`,
  ]
  const { lang } = approvalWords[locale]
  const from = shownName(locale, unit)
  return { lang, from, title: words.title, body, width: 'broad', script: 'compose' }
}

/** What recipients would see of what is written. */
function seen(locale: Locale, { check, pictures, composition: { id } }: Shown): Markup {
  const { seen: title, nothingSeen } = composeWords[locale]
  if (check.previews.length === 0) return html`<h2>${title}</h2>\n<p class="quiet">${nothingSeen}</p>\n`
  const frames = { path: `/compose/${id}/preview` }
  const drawn = previewSection(locale, { previews: check.previews, pictures, frames })
  return html`${drawn.phones ?? html``}${drawn.frames}`
}

/** The button says how many people it is about. */
function submitButton(locale: Locale, check: Check): Markup {
  if (!isComplete(check)) return html``
  const people = approvalWords[locale].people(numberOf(locale, check.forecast!.recipients.total))
  return html`<button class="mild" name="act" value="submit">${composeWords[locale].submit(people)}</button>`
}

function savedText(
  locale: Locale,
  { timeZone }: Unit,
  { updatedBy, updatedByName, updatedAt }: Composition,
): string {
  return composeWords[locale].saved(
    updatedByName ?? updatedBy,
    timeOf(locale, timeZone, updatedAt.toISOString()),
  )
}

/** Two people have written at once: the one who saves second chooses whose words stay. */
function staleNotice(locale: Locale, unit: Unit, theirs: Composition): Markup {
  const { stale } = composeWords[locale]
  const name = theirs.updatedByName ?? theirs.updatedBy
  const moment = timeOf(locale, unit.timeZone, theirs.updatedAt.toISOString())
  return html`<div class="alert" role="alert"><p><strong>${stale.title}</strong></p><p>${stale.text(name, moment)}</p><div class="acts"><button class="mild small" form="compose" name="act" value="check">${stale.mine}</button><a href="/compose/${theirs.id}" data-forget>${stale.theirs}</a></div></div>\n`
}
