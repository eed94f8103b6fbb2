import { keysOf, type Locale } from '../../../contract/enums.ts'
import { limits } from '../../../contract/limits.ts'
import { pictureTypes } from '../../../contract/media.ts'
import type { Composition } from '../../../db/queries/composition/composition.ts'
import type { Unit } from '../../../db/queries/identity/unit.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { mediaPath } from '../../../services/media/media.ts'
import { box } from '../kit/box.ts'
import { timeOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import type { FormNotices } from './composer.ts'
import type { FieldIssue } from './form/parse-form.ts'
import { carried, type FormState, notesOf } from './inputs.ts'
import { composeWords } from './words.ts'

/**
 * What every form says besides its fields. `personId`: of the reader, who may write in several units; `pictures`: what
 * addresses of own pictures begin with.
 */
export type FrameProps = FormNotices & {
  unit: Unit
  severalUnits: boolean
  composition: Composition
  personId: string
  pictures: string | null
}

/**
 * `aside`: what is offered besides saving; `submit`: the button that ends the writing, empty while it cannot; `numbers`: whom
 * it would reach, and what that depends on.
 */
type Parts = {
  title: string
  form: FormState
  sections: Markup[]
  check: Markup
  numbers?: { of: string | null; lines: Markup }
  aside: Markup
  submit: Markup
  preview: Markup
  notice: Markup
  /** What its buttons open. */
  inserts?: Markup
}

/** What is written, with what is wrong with it: on the page itself once somebody has asked; to the script, which knows. */
export function formState(
  locale: Locale,
  { composition, part, checked }: Pick<FrameProps, 'composition' | 'part' | 'checked'>,
  issues: readonly FieldIssue[],
): FormState {
  const issuesShown = part === 'page' && !checked ? [] : issues
  return { locale, fields: composition.form, issues: issuesShown, fieldNames: new Set(), counters: [] }
}

/** What is listed below the form, once somebody has asked. */
export function listedIssues(
  { checked }: Pick<FrameProps, 'checked'>,
  issues: readonly FieldIssue[],
): readonly FieldIssue[] {
  return checked ? issues : []
}

/**
 * The page on which something is written: the form, and beside it what people would see. The script saves it while people
 * write (src/api/console/compose/compose.js), and shows anew what is marked `data-live`; without it, each press does.
 */
export function composeFrame(locale: Locale, props: FrameProps, parts: Parts): Page {
  const { unit, composition, theirs, personId, part, checked } = props
  const { check, sections, states, discard, noScript, seen: title } = composeWords[locale]
  const { id, version } = composition
  const state = theirs ? html`<a href="#stale">${states.stale}</a>` : savedText(locale, unit, composition)
  // What the script writes there.
  const saying = stateNames.map((name) => html` data-${name}="${states[name]}"`)
  const hasFields = part === 'page' || part === 'form'
  const fields = hasFields
    ? html`<div id="fields">${parts.sections}${carried(parts.form)}</div>`
    : html`${allNotes(parts.form)}<div>${parts.form.counters}</div>`
  const { numbers = { of: null, lines: html`` } } = parts
  const isCounted = part === 'numbers' || (checked && part === 'page') ? html` data-counted` : html``
  const checkedMark = checked ? html` data-checked` : html``
  const form = html`<form method="post" action="/compose/${id}" class="compose" id="compose" data-unit="${unit.id}"${checkedMark} autocomplete="off">
<button class="spoken" name="act" value="check" tabindex="-1" aria-hidden="true">${check}</button>
<input type="hidden" name="version" value="${version}"><input type="hidden" name="person" value="${personId}">
${fields}
<h2>${sections.check}</h2>\n<div id="check" data-live aria-live="polite">${parts.check}</div>
<div id="numbers" aria-live="polite" data-of="${numbers.of ?? ''}"${isCounted}>${numbers.lines}</div>
<div id="aside" data-live>${parts.aside}</div>
<p class="acts"><a href="/compose/${id}?act=discard">${discard}</a></p>
<div class="decide"><p class="quiet" id="state" data-live role="status"${saying}>${state}</p>
<button class="strong" name="act" value="check">${check}</button>
<span id="submit">${parts.submit}</span></div></form>
${part === 'page' ? uploadWords(locale, props.pictures) : html``}`
  // It scrolls where it is longer than the window.
  const besides = html`<div class="seen" id="seen" role="region" tabindex="0" aria-label="${title}" data-live>${parts.preview}</div>`
  const body = [
    html`<noscript><p class="quiet">${noScript}</p></noscript>\n`,
    parts.notice,
    html`<div id="stale" data-live>${theirs ? staleNotice(locale, unit, theirs) : html``}</div>\n`,
    html`<div class="facing">\n<div>${form}</div>\n${besides}</div>\n`,
    parts.inserts ?? html``,
  ]
  const { lang } = kitWords[locale]
  const from = shownName(locale, unit)
  return { lang, from, title: parts.title, body, width: 'broad', script: 'compose' }
}

/** Ends the writing; it names the unit for whoever writes in several. `text`: what it does. */
export function submitButton(
  locale: Locale,
  { unit, severalUnits }: Pick<FrameProps, 'unit' | 'severalUnits'>,
  text: string,
): Markup {
  const words = severalUnits ? composeWords[locale].asUnit(shownName(locale, unit), text) : text
  return html`<button class="mild" name="act" value="submit">${words}</button>`
}

/** What the script says of saving. */
const stateNames = ['unsaved', 'saving', 'failed', 'over', 'gone', 'rejected', 'stale', 'restored'] as const

/** What the script needs for pictures, and says of them by the rule or the code of an error. */
function uploadWords(locale: Locale, pictures: string | null): Markup {
  const { states } = composeWords[locale].pictures
  const texts = keysOf(states).map((name) => html` data-${name}="${states[name]}"`)
  const facts = html`data-from="${pictures ?? ''}" data-path="${mediaPath}" data-types="${pictureTypes.join(',')}" data-bytes="${limits.mediaBytes}"`
  return html`<div id="pictures" hidden ${facts}${texts}></div>\n`
}

/** What is wrong with fields, which the script shows at those that it has. */
function allNotes(form: FormState): Markup {
  const names = [...new Set(form.issues.map(({ name }) => name))]
  return html`<div>${names.map((name) => notesOf(form, name).notes)}</div>`
}

function savedText(
  locale: Locale,
  { timeZone }: Unit,
  { updatedBy, updatedByName, updatedAt }: Composition,
): string {
  const moment = timeOf(locale, timeZone, updatedAt.toISOString())
  return composeWords[locale].isSaved(updatedByName ?? updatedBy, moment)
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
