import type { Actor } from '../../../contract/common.ts'
import type { Locale } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import type { TemplateDetail, TemplateVersion } from '../../../contract/templates/template.ts'
import { shownName } from '../../../domain/content/sending-unit.ts'
import { variableLabel } from '../../../domain/content/variable-label.ts'
import { html, type Markup } from '../../../html/markup.ts'
import type { TemplateView } from '../../../services/approvals/templates.ts'
import { actorName } from '../facts/actor-name.ts'
import { contentSection } from '../facts/content.ts'
import { factList } from '../facts/facts.ts'
import { previewsBeside } from '../facts/previews.ts'
import { box } from '../kit/box.ts'
import { shortDateOf } from '../kit/format.ts'
import type { Page } from '../kit/page.ts'
import { kitWords } from '../kit/words.ts'
import { templateTag } from './list.ts'
import { templateWords } from './words.ts'

/** What stands before the name of a variable in the address of a preview. */
export const valuePrefix = 'v.'

/** `examples`: example values as they were written, by variable; `previews`: with them, null: the template cannot take them. */
type TemplatePageProps = {
  view: TemplateView
  /** Whether the reader may write a new version. */
  edits: boolean
  detail: TemplateDetail
  versions: readonly TemplateVersion[]
  examples: Record<string, string>
  previews: readonly Preview[] | null
}

/** The page of one template: its newest version, what recipients would see, what uses it, and the versions before. */
export function templatePage(locale: Locale, props: TemplatePageProps): Page {
  const words = templateWords[locale]
  const { view, detail, examples, previews } = props
  const { state, version, inForce } = detail
  const decides = detail.allowed.approve.allowed || detail.allowed.reject.allowed
  const named = Object.entries(examples).map(([name, value]) => [`${valuePrefix}${name}`, value])
  const beside = html`${[
    factList(locale, view),
    valuesForm(locale, detail, examples, previews === null),
    usedBySection(locale, detail),
  ]}`
  const others = inForce === version ? null : String(inForce)
  const content = contentSection(locale, detail.messages, { ...view, subject: detail.subject })
  const body = [
    html`<p>${templateTag(words, state)} ${words.version(String(version), others)}</p>\n`,
    props.edits
      ? html`<form method="post" action="/compose" class="acts"><input type="hidden" name="template" value="${view.id}">
<button class="mild">${words.write}</button></form>\n`
      : html``,
    decides ? html`<a class="strong" href="/approvals/template/${view.id}">${words.decide}</a>\n` : html``,
    previewsBeside(
      locale,
      {
        previews: previews ?? [],
        pictures: view.pictures,
        frames: { path: `/templates/${view.id}/preview`, query: Object.fromEntries(named) },
      },
      beside,
    ),
    html`<details><summary>${words.content}</summary>${content}</details>\n`,
    versionsSection(locale, props),
  ]
  const { lang } = kitWords[locale]
  return { lang, from: shownName(locale, view.unit), title: detail.name, body, width: 'broad' }
}

function valuesForm(
  locale: Locale,
  { variables }: TemplateDetail,
  examples: Record<string, string>,
  wrong: boolean,
): Markup {
  if (variables.length === 0) return html``
  const { values, byDefault } = templateWords[locale]
  const fields = variables.map((variable) => {
    const { name, required, default: fallback } = variable
    const hint =
      fallback === undefined
        ? values[required ? 'required' : 'optional']
        : byDefault(JSON.stringify(fallback))
    const about = html`name="${valuePrefix}${name}" value="${examples[name] ?? ''}" maxlength="1000" autocomplete="off"`
    return html`<label class="field">${variableLabel(locale, variable)} <span class="quiet">${hint}</span><input type="text" ${about}></label>\n`
  })
  const notice = wrong ? box(locale, 'wrong', html`<p>${values.wrong}</p>`) : html``
  return html`<h2>${values.title}</h2>\n<p class="quiet">${values.hint}</p>\n${notice}<form>\n${fields}<button class="mild">${values.button}</button></form>\n`
}

function usedBySection(locale: Locale, { usedBy: { bindings, schedules } }: TemplateDetail): Markup {
  const words = templateWords[locale]
  const lines = [
    ...bindings.map(({ source, type }) => words.binding(source, type)),
    ...schedules.map(({ name }) => words.schedule(name)),
  ]
  const list =
    lines.length === 0
      ? html`<p>${words.unused}</p>\n`
      : html`<ul>\n${lines.map((line) => html`<li>${line}</li>\n`)}</ul>\n`
  return html`<h2>${words.usedBy}</h2>\n${list}`
}

/** Every version with its decision; an earlier one can be compared with the newest. */
function versionsSection(locale: Locale, { view, detail, versions }: TemplatePageProps): Markup {
  const words = templateWords[locale]
  const rows = versions.map(({ version, state, author, createdAt, decision }) => {
    const { timeZone } = view.unit
    const byline = (by: Actor, at: string) => `${actorName(locale, by)}, ${shortDateOf(locale, timeZone, at)}`
    const why = decision?.reason ? html`<p class="quiet">${decision.reason}</p>` : html``
    const decided = decision ? html` · ${byline(decision.by, decision.at)}${why}` : html``
    const compare =
      version === detail.version
        ? html``
        : view.before?.version === version
          ? html` <span class="tag">${words.compared(String(version))}</span>`
          : html` <a href="/templates/${view.id}?compare=${version}">${words.compare}</a>`
    const authorLine = html`<span class="quiet">${byline(author, createdAt)}${decided}</span>`
    return html`<li>${words.version(String(version), null)} ${templateTag(words, state)} ${authorLine}${compare}</li>\n`
  })
  return html`<h2>${words.versions}</h2>\n<ul class="history">\n${rows}</ul>\n`
}
