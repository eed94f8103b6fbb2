import type { Category } from '../../../contract/catalogue/category.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { localise } from '../../../domain/content/localise.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { previewSection } from '../facts/previews.ts'
import type { Page } from '../kit/page.ts'
import { ownWords } from './blocks.ts'
import { issueLines } from './check.ts'
import type { FieldIssue } from './form/described.ts'
import { exampleField, variablesIn } from './form/template-body.ts'
import { composeFrame, type Framed } from './frame.ts'
import { changeButton, field, hidden, notesOf, select, toggle, valueIn, type Written } from './inputs.ts'
import { composeWords } from './words.ts'

/** `previews`: with the example values, null: it cannot be shown yet; `refused`: what the server would not take. */
type Shown = Framed & {
  categories: readonly Category[]
  issues: readonly FieldIssue[]
  refused: string | null
  previews: readonly Preview[] | null
  pictures: string | null
}

/** The page on which a template, or a new version of one, is written, and beside it what recipients would see. */
export function templateForm(locale: Locale, shown: Shown): Page {
  const words = composeWords[locale]
  const { composition, issues, previews, refused } = shown
  const written: Written = { locale, fields: composition.form, issues, shown: new Set() }
  const isNew = composition.templateId === null
  const refusal = refused === null ? html`` : html`<p class="wrong">${words.refused}${refused}</p>\n`
  return composeFrame(locale, shown, {
    title: isNew ? words.template.title : words.template.newVersion(valueIn(written, 'name')),
    written,
    sections: [aboutSection(written, shown, isNew), variablesSection(written), contentSection(written)],
    check: html`${refusal}${issueLines(written, issues)}${previews ? html`<p>${words.template.ready}</p>\n` : html``}`,
    aside: html``,
    submit: previews
      ? html`<button class="mild" name="act" value="submit">${words.template.submit}</button>`
      : html``,
    seen: seen(locale, shown),
    notice: html``,
  })
}

/** The name and the category of a template stay as they are. */
function aboutSection(written: Written, { categories }: Shown, isNew: boolean): Markup {
  const { locale } = written
  const { fields, choose, template } = composeWords[locale]
  if (!isNew) return html`${hidden(written, 'name')}${hidden(written, 'categoryId')}`
  const named = categories.map(({ id, name }) => [id, localise(locale, name)] as const)
  return html`<h2>${template.about}</h2>\n${field(written, 'name', fields.name)}${select(written, 'categoryId', fields.categoryId, named, choose)}`
}

function variablesSection(written: Written): Markup {
  const { template, add } = composeWords[written.locale]
  const rows = variablesIn(written.fields).map(({ path, name, isText }, at) =>
    variableFields(written, { path, name, isText, at: at + 1 }),
  )
  const adds = [
    changeButton('add textVariable', `＋ ${template.adds.text}`),
    changeButton('add numberVariable', `＋ ${template.adds.number}`),
  ]
  return html`<h2>${template.variables}</h2>
<p class="quiet">${template.aboutVariables}</p>
<div id="variables">${notesOf(written, 'variables').notes}${rows}</div><div class="acts adds" role="group" aria-label="${add}">${adds}</div>\n`
}

type Variable = { path: string; name: string; isText: boolean; at: number }

function variableFields(written: Written, { path, name, isText, at }: Variable): Markup {
  const { template, numbered, parts } = composeWords[written.locale]
  const legend = numbered(parts.variables, String(at))
  const type = isText ? ({ type: 'text' } as const) : ({ type: 'number' } as const)
  const example =
    name === ''
      ? html``
      : field(written, exampleField(name, isText), template.example(name), { ...type, optional: true })
  return html`<fieldset class="entry"><legend>${legend}</legend>${[
    field(written, `${path}.name`, template.name),
    field(written, `${path}.default${isText ? '' : '#'}`, template.default, { ...type, optional: true }),
    toggle(written, `${path}.required#`, 'false', template.mayBeEmpty),
    example,
    changeButton(`remove ${path}`, template.remove, `${legend} ${template.remove}`),
  ]}</fieldset>\n`
}

function contentSection(written: Written): Markup {
  return html`<h2>${composeWords[written.locale].sections.what}</h2>\n${ownWords(written)}`
}

function seen(locale: Locale, { previews, pictures, composition: { id } }: Shown): Markup {
  const { seen: title, nothingSeen } = composeWords[locale]
  if (!previews) return html`<h2>${title}</h2>\n<p class="quiet">${nothingSeen}</p>\n`
  const drawn = previewSection(locale, { previews, pictures, frames: { path: `/compose/${id}/preview` } })
  return html`${drawn.phones ?? html``}${drawn.frames}`
}
