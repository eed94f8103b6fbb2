import type { Category } from '../../../contract/catalogue/category.ts'
import type { Template, TemplateVariable } from '../../../contract/templates/template.ts'
import type { Topic } from '../../../contract/topics.ts'
import { localise } from '../../../domain/content/localise.ts'
import { variableLabel } from '../../../domain/content/variable-label.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { blocksSection } from './blocks.ts'
import { contentField } from './form/message-body.ts'
import { searchFor } from './form/parse-form.ts'
import { bothLanguages, changeButton, type FormState, field, radios, select, valueIn } from './inputs.ts'
import { composeWords } from './words.ts'

/** What a message can be made of. `template`: the one that is chosen; `moreTemplates`: there are others than these. */
export type Sources = {
  categories: readonly Category[]
  topics: readonly Topic[]
  templates: readonly Template[]
  moreTemplates: boolean
  template: Template | null
}

/** What the message says: the words of a template, or words of its own. */
export function whatSection(form: FormState, sources: Sources): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const { categories, templates } = sources
  const named = categories.map(({ id, name }) => [id, localise(locale, name)] as const)
  const kinds = [
    ['blocks', words.content.blocks],
    ['template', words.content.template],
  ] as const
  const ofTemplate = valueIn(form, contentField) === 'template'
  const choice =
    templates.length > 0 || ofTemplate ? radios(form, contentField, words.sections.what, kinds) : html``
  const category = select(form, 'categoryId', words.fields.categoryId, named, words.choose)
  const rest = ofTemplate ? templateFields(form, sources) : blocksSection(form)
  return html`<h2>${words.sections.what}</h2>
${ofTemplate ? html`` : titleFields(form)}${category}${topicField(form, sources)}${choice}${rest}`
}

/** What lists and mails call a message, or those of a template. */
export function titleFields(form: FormState): Markup {
  const { fields, titleHint } = composeWords[form.locale]
  return bothLanguages(form, 'subject', fields.subject, { optional: true, hint: titleHint })
}

function topicField(form: FormState, { topics, categories }: Sources): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const category = categories.find(({ id }) => id === valueIn(form, 'categoryId'))
  // Nobody may unsubscribe from a mandatory category: it has no topics.
  if (category?.layer === 'mandatory' || (topics.length === 0 && valueIn(form, 'topicId') === ''))
    return html``
  const named = topics.map(({ id, name }) => [id, localise(locale, name)] as const)
  return select(form, 'topicId', words.fields.topicId, named, words.noTopic)
}

function templateFields(form: FormState, { templates, moreTemplates, template }: Sources): Markup {
  const { locale } = form
  const words = composeWords[locale]
  const named = [
    ...templates,
    ...(template && !templates.some(({ id }) => id === template.id) ? [template] : []),
  ].map(({ id, name }) => [id, name] as const)
  const search = searchFor('templates')
  const finds =
    moreTemplates || valueIn(form, search) !== ''
      ? html`${field(form, search, words.search, { optional: true })}${changeButton('check', words.find, `${words.find} ${words.fields.templateId}`)}`
      : html``
  const chosen = html`${finds}${select(form, 'templateId', words.fields.templateId, named, words.choose)}`
  return html`${chosen}${template ? template.variables.map((one) => variableField(form, one)) : html`<p class="quiet">${words.chooseTemplate}</p>\n`}`
}

/** A value that is no text is written as JSON: a number, true or false, a list. */
function variableField(form: FormState, variable: TemplateVariable): Markup {
  const words = composeWords[form.locale]
  const { name, required, default: fallback } = variable
  const called = variableLabel(form.locale, variable)
  const isText = fallback === undefined || typeof fallback === 'string'
  const label =
    fallback === undefined
      ? called
      : words.byDefault(called, isText ? String(fallback) : JSON.stringify(fallback))
  const path = `variables.${name}${isText ? '' : '#'}`
  const long = isText && (String(fallback ?? '').length > 80 || valueIn(form, path).length > 80)
  return field(form, path, label, {
    optional: !required,
    ...(typeof fallback === 'number' ? { type: 'number' as const } : {}),
    ...(long ? { rows: 3 } : {}),
  })
}
