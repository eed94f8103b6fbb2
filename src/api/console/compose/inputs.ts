import type { Length } from '../../../channels/chat/compile-context.ts'
import type { textLimitsOf } from '../../../channels/text-limits.ts'
import type { Locale } from '../../../contract/enums.ts'
import { locales } from '../../../contract/enums.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { kitWords } from '../kit/words.ts'
import { counter } from './counter.ts'
import { type Fields, pathOf, valuesOf } from './form/fields.ts'
import type { FieldIssue } from './form/parse-form.ts'
import { issueText } from './issues.ts'
import { composeWords } from './words.ts'

/**
 * What is written, and what is wrong with it. `locale`: of the reader; `fieldNames`: those that have a field on the page
 * so far, since what has none is carried along unseen.
 */
export type FormState = {
  locale: Locale
  fields: Fields
  issues: readonly FieldIssue[]
  fieldNames: Set<string>
  /** How much of their limits texts take, which the script shows while they are written. */
  counters: Markup[]
  /** Those of the channels on which it is sent; null: they have none. */
  textLimits?: ReturnType<typeof textLimitsOf>
  /** Whether its texts can have variables. */
  inserts?: boolean
}

/** The value of a field; empty if it has none. */
export function valueIn({ fields }: Pick<FormState, 'fields'>, name: string): string {
  return valuesOf(fields, name)[0] ?? ''
}

export function valuesIn({ fields }: Pick<FormState, 'fields'>, name: string): readonly string[] {
  return valuesOf(fields, name)
}

/** The id of a field on the page, which links lead to. */
export function idOf(name: string): string {
  return pathOf(name).replaceAll('.', '-')
}

/** What is wrong with what is written in a field. `data-missing`: nothing is, which is no fault while a person writes. */
export function notesOf({ locale, issues }: FormState, name: string): { notes: Markup; marked: Markup } {
  const path = pathOf(name)
  const wrong = issues.filter((issue) => issue.name === path)
  const id = `${idOf(name)}-wrong`
  if (wrong.length === 0)
    return { notes: html`<span class="wrong" id="${id}" hidden></span>`, marked: html`` }
  const { why } = wrong[0]!
  const text = wrong.map((issue) => issueText(locale, issue)).join(' ')
  const missing = wrong.every((issue) => issue.missing) ? html` data-missing` : html``
  return {
    notes: html`<span class="wrong" data-at="${path}"${missing} id="${id}" data-code="${'rule' in why ? why.rule : why.code}">${text}</span>`,
    marked: html` aria-invalid="true" aria-describedby="${id}"`,
  }
}

/** `hint`: what the field is for, below its label; `most`: how long a text may be. */
export type Shape = {
  rows?: number
  type?: 'text' | 'url' | 'number' | 'datetime-local'
  optional?: boolean
  hint?: string
  most?: Length | undefined
}

/** A field with its label, and with what is wrong with it. `lang`: of what is written in it. */
export function field(
  form: FormState,
  name: string,
  label: string,
  { rows, type = 'text', optional = false, hint, most, lang }: Shape & { lang?: string } = {},
): Markup {
  form.fieldNames.add(name)
  const id = idOf(name)
  const { notes, marked } = notesOf(form, name)
  const language = lang === undefined ? html`` : html` lang="${lang}"`
  const value = valueIn(form, name)
  const input = rows
    ? html`<textarea id="${id}" name="${name}" rows="${rows}"${language}${marked}>\n${value}</textarea>`
    : html`<input id="${id}" name="${name}" type="${type}" value="${value}"${language}${marked} autocomplete="off">`
  const more = optional ? html` <span class="quiet">${composeWords[form.locale].optional}</span>` : html``
  const hintLine = hint === undefined ? html`` : html`<span class="quiet">${hint}</span>`
  const insert = form.inserts && lang !== undefined && !name.startsWith('variables.')
  const inserts = insert ? insertButton(form, name, label) : html``
  return html`<div class="field"><label for="${id}">${label}${more}</label>${inserts}${hintLine}${notes}${input}${counterOf(form, name, most)}</div>\n`
}

/** What a variable is filled with counts: nobody knows yet how long that is. */
function counterOf(form: FormState, name: string, most: Length | undefined): Markup {
  const text = valueIn(form, name)
  if (!most || (form.inserts && text.includes('{{'))) return html``
  const count = counter(form.locale, idOf(name), text, most)
  form.counters.push(count)
  return count
}

/** The id of the menu with the variables of a template. */
export const insertId = 'inserts'

function insertButton({ locale }: FormState, name: string, label: string): Markup {
  const { insert, insertInto } = composeWords[locale].template
  return html`<button type="button" class="insert scripted" popovertarget="${insertId}" data-for="${name}" aria-label="${insertInto(label)}">${insert}</button>`
}

/** The same in both languages, one above the other. */
export function bothLanguages(
  form: FormState,
  name: string,
  label: string,
  { hint, ...shape }: Shape = {},
): Markup {
  const { inLanguage } = composeWords[form.locale]
  return html`${locales.map((one) =>
    field(form, `${name}.${one}`, inLanguage[one](label), {
      ...shape,
      // English is left out where everybody reads Chinese.
      optional: shape.optional || one === 'en',
      lang: kitWords[one].lang,
      ...(hint !== undefined && one === 'zh-TW' && { hint }),
    }),
  )}`
}

/** A choice of one. `none`: what is shown while nothing is chosen. */
export function select(
  form: FormState,
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
  none?: string,
): Markup {
  form.fieldNames.add(name)
  const id = idOf(name)
  const chosen = valueIn(form, name)
  const { notes, marked } = notesOf(form, name)
  // What was chosen before, and cannot be chosen any more, stays until somebody chooses another.
  const gone = chosen !== '' && !choices.some(([value]) => value === chosen)
  const all = gone ? [...choices, [chosen, composeWords[form.locale].gone] as const] : choices
  const options = all.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen ? html` selected` : html``}>${text}</option>`,
  )
  const empty = none === undefined ? html`` : html`<option value="">${none}</option>`
  return html`<div class="field"><label for="${id}">${label}</label>${notes}<select id="${id}" name="${name}"${marked}>${empty}${options}</select></div>\n`
}

/** A choice of one, all of them seen. */
export function radios(
  form: FormState,
  name: string,
  label: string,
  choices: readonly (readonly [value: string, text: string])[],
): Markup {
  form.fieldNames.add(name)
  const chosen = valueIn(form, name) || choices[0]?.[0]
  const rows = choices.map(
    ([value, text]) =>
      html`<label class="pick"><input type="radio" name="${name}" value="${value}"${value === chosen ? html` checked` : html``}>${text}</label>\n`,
  )
  return html`<div class="picks" role="radiogroup" aria-label="${label}">${rows}</div>\n`
}

/** A value, what people call it, and the code that stands small beside that. */
export type Choice = readonly [value: string, text: string, code?: string]

/** A choice of several, as chips. What was chosen before, and cannot be chosen any more, stays until it is taken away. */
export function chips(form: FormState, path: string, label: string, choices: readonly Choice[]): Markup {
  const name = `${path}[]`
  form.fieldNames.add(name)
  const chosen = valuesIn(form, name)
  const values = new Set(choices.map(([value]) => value))
  const gone = chosen.filter((value) => !values.has(value)).map((value): Choice => [value, value])
  const rows = [...choices, ...gone].map(([value, text, code]) => {
    const beside = code === undefined ? html`` : html` <small class="quiet">${code}</small>`
    const checked = chosen.includes(value) ? html` checked` : html``
    return html`<label class="pick"><input type="checkbox" name="${name}" value="${value}"${checked}>${text}${beside}</label>\n`
  })
  const { notes } = notesOf(form, name)
  return html`<div class="picks" role="group" aria-label="${label}" id="${idOf(name)}">\n${notes}${rows}</div>\n`
}

/** A yes or no: `value` as JSON if it is ticked, nothing if not. */
export function toggle(form: FormState, name: string, value: string, label: string): Markup {
  form.fieldNames.add(name)
  const ticked = valueIn(form, name) === value
  const { notes } = notesOf(form, name)
  const checked = ticked ? html` checked` : html``
  const box = html`<input type="checkbox" id="${idOf(name)}" name="${name}" value="${value}"${checked}>`
  return html`${notes}<label class="pick">${box}${label}</label>\n`
}

/** A value that people do not see. */
export function hidden(form: FormState, name: string, value = valueIn(form, name)): Markup {
  form.fieldNames.add(name)
  return html`<input type="hidden" name="${name}" value="${value}">`
}

/** What has no field on the page, such as the reference of a producer: an edit keeps it. The last thing of a form. */
export function carried({ fields, fieldNames }: FormState): Markup {
  const rest = fields.filter(([name]) => !fieldNames.has(name))
  return html`${rest.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}\n`
}

/** A button that changes the form and keeps the rest of it. */
export function changeButton(act: string, text: string, spoken = text): Markup {
  return html`<button class="mild small" name="act" value="${act}" aria-label="${spoken}">${text}</button>`
}

/** Where an entry stands in its list: its number, from 1, and whether it is the first or the last. */
export type Position = { at: number; first: boolean; last: boolean }

type EntryButtons = { legend: string; position: Position; remove: string; copies?: boolean }

/** The buttons that move an entry, copy it, or take it away. `remove`: what that is called. */
export function moveButtons(
  { locale }: FormState,
  path: string,
  { legend, position, remove, copies = false }: EntryButtons,
): Markup {
  const { up, down, copy } = composeWords[locale]
  const button = (act: string, text: string) => changeButton(`${act} ${path}`, text, `${legend} ${text}`)
  const buttons = [
    position.first ? html`` : button('up', up),
    position.last ? html`` : button('down', down),
    copies ? button('copy', copy) : html``,
    button('remove', remove),
  ]
  return html`<div class="acts">${buttons}</div>`
}
