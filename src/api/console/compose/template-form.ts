import { textLimitsOf } from '../../../channels/text-limits.ts'
import type { Category } from '../../../contract/catalogue/category.ts'
import { channels, type Locale } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { previewSection } from '../facts/previews.ts'
import { numberOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { blocksSection } from './blocks.ts'
import { issueLines } from './check.ts'
import { keyField } from './form/keys.ts'
import type { FieldIssue } from './form/parse-form.ts'
import { exampleField, type FormVariable, variablesIn } from './form/template-body.ts'
import { composeFrame, type FrameProps, formState, listedIssues, submitButton } from './frame.ts'
import {
  bothLanguages,
  changeButton,
  type FormState,
  field,
  hidden,
  insertId,
  notesOf,
  select,
  toggle,
  valueIn,
} from './inputs.ts'
import { titleFields } from './what.ts'
import { composeWords } from './words.ts'

/** `previews`: with the example values. */
type TemplateFormProps = FrameProps & {
  categories: readonly Category[]
  issues: readonly FieldIssue[]
  previews: readonly Preview[]
}

/** The page on which a template, or a new version of one, is written, and beside it what recipients would see. */
export function templateForm(locale: Locale, props: TemplateFormProps): Page {
  const words = composeWords[locale]
  const { composition, issues, refused } = props
  const drawn = props.previews.map(({ channel }) => channel)
  const textLimits = textLimitsOf(drawn.length > 0 ? drawn : channels)
  const form = { ...formState(locale, props, issues), inserts: true, textLimits }
  const isReady = issues.length === 0
  const isNew = composition.templateId === null
  const refusal = refused === null ? html`` : html`<p class="wrong">${words.refused}${refused}</p>\n`
  return composeFrame(locale, props, {
    title: isNew ? words.template.title : words.template.newVersion(valueIn(form, 'name')),
    form,
    sections: [aboutSection(form, props, isNew), variablesSection(form), contentSection(form)],
    check: html`${refusal}${issueLines(form, listedIssues(props, issues))}${isReady ? html`<p>${words.template.ready}</p>\n` : html``}`,
    aside: html``,
    inserts: insertMenu(form),
    submit: isReady ? submitButton(locale, props, words.template.submit) : html``,
    preview: previewPane(locale, props),
    notice: html``,
  })
}

/** The name and the category of a template stay as they are. */
function aboutSection(form: FormState, { categories }: TemplateFormProps, isNew: boolean): Markup {
  const { locale } = form
  const { fields, choose, template } = composeWords[locale]
  if (!isNew) return html`${hidden(form, 'name')}${hidden(form, 'categoryId')}`
  const named = categories.map(({ id, name }) => [id, localise(locale, name)] as const)
  return html`<h2>${template.about}</h2>\n${field(form, 'name', fields.name)}${select(form, 'categoryId', fields.categoryId, named, choose)}`
}

function variablesSection(form: FormState): Markup {
  const { template, add } = composeWords[form.locale]
  const rows = variablesIn(form.fields).map((variable, at) => variableFields(form, variable, at + 1))
  const adds = [
    changeButton('add textVariable', `＋ ${template.adds.text}`),
    changeButton('add numberVariable', `＋ ${template.adds.number}`),
  ]
  return html`<h2>${template.variables}</h2>
<p class="quiet">${template.aboutVariables}</p>
<div id="variables">${notesOf(form, 'variables').notes}${rows}</div><div class="acts adds" role="group" aria-label="${add}">${adds}</div>\n`
}

function variableFields(form: FormState, { path, name, label, isText }: FormVariable, at: number): Markup {
  const { template, numbered, entry, fields } = composeWords[form.locale]
  const legend = numbered(entry.variables, numberOf(form.locale, at))
  const type = isText ? ({ type: 'text' } as const) : ({ type: 'number' } as const)
  const example = template.example(label || name)
  return html`<fieldset class="entry"><legend>${legend}</legend>${[
    hidden(form, `${path}.${keyField}`),
    hidden(form, `${path}.name`),
    notesOf(form, `${path}.name`).notes,
    bothLanguages(form, `${path}.label`, fields.variableLabel),
    html`<p class="quiet">${template.inTexts(name)}</p>`,
    field(form, `${path}.default${isText ? '' : '#'}`, template.default, { ...type, optional: true }),
    toggle(form, `${path}.required#`, 'false', template.mayBeEmpty),
    field(form, exampleField(name, isText), example, { ...type, optional: true }),
    changeButton(`remove ${path}`, template.remove, `${legend} ${template.remove}`),
  ]}</fieldset>\n`
}

/** What the buttons beside texts open: a button for each variable, which the script puts where the caret is. */
function insertMenu({ locale, fields }: FormState): Markup {
  const { insert, noVariables } = composeWords[locale].template
  const buttons = variablesIn(fields).map(
    ({ name, label }) =>
      html`<button type="button" class="mild small" data-insert="{{ ${name} }}">${label || name}</button>\n`,
  )
  const none = buttons.length === 0 ? html`<p>${noVariables}</p>` : html``
  return html`<div id="${insertId}" class="inserts" popover data-live><p class="quiet">${insert}</p>${buttons}${none}</div>\n`
}

function contentSection(form: FormState): Markup {
  return html`<h2>${composeWords[form.locale].sections.what}</h2>\n${titleFields(form)}${blocksSection(form)}`
}

function previewPane(locale: Locale, { previews, pictures, composition: { id } }: TemplateFormProps): Markup {
  const { seen: title, nothingSeen } = composeWords[locale]
  if (previews.length === 0) return html`<h2>${title}</h2>\n<p class="quiet">${nothingSeen}</p>\n`
  const drawn = previewSection(locale, { previews, pictures, frames: { path: `/compose/${id}/preview` } })
  return html`${drawn.phones ?? html``}${drawn.frames}`
}
