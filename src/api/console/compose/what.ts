import type { Category } from '../../../contract/catalogue/category.ts'
import type { Template, TemplateVariable } from '../../../contract/templates/template.ts'
import type { Topic } from '../../../contract/topics.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { ownWords } from './blocks.ts'
import { searchFor } from './form/described.ts'
import { contentField } from './form/message-body.ts'
import { changeButton, field, radios, select, valueIn, type Written } from './inputs.ts'
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
export function whatSection(written: Written, sources: Sources): Markup {
  const { locale } = written
  const words = composeWords[locale]
  const { categories, templates } = sources
  const named = categories.map(({ id, name }) => [id, localise(locale, name)] as const)
  const kinds = [
    ['blocks', words.content.blocks],
    ['template', words.content.template],
  ] as const
  const ofTemplate = valueIn(written, contentField) === 'template'
  const choice =
    templates.length > 0 || ofTemplate ? radios(written, contentField, words.sections.what, kinds) : html``
  const rest = ofTemplate ? templateFields(written, sources) : ownWords(written)
  return html`<h2>${words.sections.what}</h2>
${select(written, 'categoryId', words.fields.categoryId, named, words.choose)}${topicField(written, sources)}${choice}${rest}`
}

function topicField(written: Written, { topics, categories }: Sources): Markup {
  const { locale } = written
  const words = composeWords[locale]
  const category = categories.find(({ id }) => id === valueIn(written, 'categoryId'))
  // Nobody may unsubscribe from a mandatory category: it has no topics.
  if (category?.layer === 'mandatory' || (topics.length === 0 && valueIn(written, 'topicId') === ''))
    return html``
  const named = topics.map(({ id, name }) => [id, localise(locale, name)] as const)
  return select(written, 'topicId', words.fields.topicId, named, words.noTopic)
}

function templateFields(written: Written, { templates, moreTemplates, template }: Sources): Markup {
  const { locale } = written
  const words = composeWords[locale]
  const named = [
    ...templates,
    ...(template && !templates.some(({ id }) => id === template.id) ? [template] : []),
  ].map(({ id, name }) => [id, name] as const)
  const search = searchFor('templates')
  const finds =
    moreTemplates || valueIn(written, search) !== ''
      ? html`${field(written, search, words.search, { optional: true })}${changeButton('check', words.find, `${words.find} ${words.fields.templateId}`)}`
      : html``
  const chosen = html`${finds}${select(written, 'templateId', words.fields.templateId, named, words.choose)}`
  return html`${chosen}${template ? template.variables.map((one) => variableField(written, one)) : html`<p class="quiet">${words.chooseTemplate}</p>\n`}`
}

/** A value that is no text is written as JSON: a number, true or false, a list. */
function variableField(written: Written, { name, required, default: fallback }: TemplateVariable): Markup {
  const words = composeWords[written.locale]
  const isText = fallback === undefined || typeof fallback === 'string'
  const label =
    fallback === undefined
      ? name
      : words.byDefault(name, isText ? String(fallback) : JSON.stringify(fallback))
  const path = `variables.${name}${isText ? '' : '#'}`
  const long = isText && (String(fallback ?? '').length > 80 || valueIn(written, path).length > 80)
  return field(written, path, label, {
    optional: !required,
    ...(typeof fallback === 'number' ? { type: 'number' as const } : {}),
    ...(long ? { rows: 3 } : {}),
  })
}
