import type { Category } from '../../../contract/catalogue/category.ts'
import { type Locale, locales } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { previewSection } from '../facts/previews.ts'
import type { Page } from '../kit/page.ts'
import { blocksSection } from './blocks.ts'
import { issueLines } from './check.ts'
import { keyField } from './form/keys.ts'
import type { FieldIssue } from './form/parse-form.ts'
import { exampleField, variablesIn } from './form/template-body.ts'
import { composeFrame, type FrameProps, formState, listedIssues } from './frame.ts'
import {
  bothLanguages,
  changeButton,
  type FormState,
  field,
  hidden,
  notesOf,
  select,
  toggle,
  valueIn,
} from './inputs.ts'
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
  const form = formState(locale, props, issues)
  const isReady = issues.length === 0
  const isNew = composition.templateId === null
  const refusal = refused === null ? html`` : html`<p class="wrong">${words.refused}${refused}</p>\n`
  return composeFrame(locale, props, {
    title: isNew ? words.template.title : words.template.newVersion(valueIn(form, 'name')),
    form,
    sections: [aboutSection(form, props, isNew), variablesSection(form), contentSection(form)],
    check: html`${refusal}${issueLines(form, listedIssues(props, issues))}${isReady ? html`<p>${words.template.ready}</p>\n` : html``}`,
    aside: html``,
    submit: isReady
      ? html`<button class="mild" name="act" value="submit">${words.template.submit}</button>`
      : html``,
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
  const rows = variablesIn(form.fields).map(({ path, name, isText }, at) =>
    variableFields(form, { path, name, isText, at: at + 1 }),
  )
  const adds = [
    changeButton('add textVariable', `＋ ${template.adds.text}`),
    changeButton('add numberVariable', `＋ ${template.adds.number}`),
  ]
  return html`<h2>${template.variables}</h2>
<p class="quiet">${template.aboutVariables}</p>
<div id="variables">${notesOf(form, 'variables').notes}${rows}</div><div class="acts adds" role="group" aria-label="${add}">${adds}</div>\n`
}

type Variable = { path: string; name: string; isText: boolean; at: number }

function variableFields(form: FormState, { path, name, isText, at }: Variable): Markup {
  const { template, numbered, parts } = composeWords[form.locale]
  const legend = numbered(parts.variables, String(at))
  const type = isText ? ({ type: 'text' } as const) : ({ type: 'number' } as const)
  const example =
    name === ''
      ? html``
      : field(form, exampleField(name, isText), template.example(name), { ...type, optional: true })
  return html`<fieldset class="entry"><legend>${legend}</legend>${[
    hidden(form, `${path}.${keyField}`),
    field(form, `${path}.name`, template.name),
    field(form, `${path}.default${isText ? '' : '#'}`, template.default, { ...type, optional: true }),
    toggle(form, `${path}.required#`, 'false', template.mayBeEmpty),
    example,
    changeButton(`remove ${path}`, template.remove, `${legend} ${template.remove}`),
  ]}</fieldset>\n`
}

function contentSection(form: FormState): Markup {
  const { sections, fields } = composeWords[form.locale]
  const open = locales.some((one) => valueIn(form, `subject.${one}`) !== '')
  const subject = bothLanguages(form, 'subject', fields.subject, { optional: true })
  return html`<h2>${sections.what}</h2>
${blocksSection(form)}<details${open ? html` open` : html``}><summary>${fields.subject}</summary>${subject}</details>\n`
}

function previewPane(locale: Locale, { previews, pictures, composition: { id } }: TemplateFormProps): Markup {
  const { seen: title, nothingSeen } = composeWords[locale]
  if (previews.length === 0) return html`<h2>${title}</h2>\n<p class="quiet">${nothingSeen}</p>\n`
  const drawn = previewSection(locale, { previews, pictures, frames: { path: `/compose/${id}/preview` } })
  return html`${drawn.phones ?? html``}${drawn.frames}`
}
