import { type Locale, locales } from '../../../contract/enums.ts'
import { variableLabelAndName } from '../../../domain/content/variable-label.ts'
import type { TemplateView } from '../../../services/approvals/templates.ts'
import { kitWords } from '../kit/words.ts'
import {
  type Compared,
  changeLines,
  comparedAsStored,
  comparedLines,
  hasChanged,
  settingsIn,
  textsIn,
} from './changes.ts'
import { type Fact, whoAndWhen } from './fact.ts'
import { linkLines } from './link-lines.ts'
import { factWords } from './words.ts'

/** A version of a template. */
export function templateFacts(locale: Locale, view: TemplateView): Fact[] {
  const words = factWords[locale]
  const { template, before } = view
  const inForce = template.inForce === template.version ? null : String(template.inForce)
  return [
    ['why', view.since === null ? [] : [words.why.template]],
    ['version', [words.versionOf(String(template.version), inForce)]],
    ['changed', before ? changeLines(locale, before.version, textChanges(locale, view, before)) : []],
    ['variables', variableLines(locale, template)],
    ['links', linkLines(locale, view, template.messages)],
    ['effect', view.since === null ? [] : [words.effect.template]],
    ...whoAndWhen(locale, view),
  ]
}

/** The variables of a template or a scenario, with their default values. */
export function variableLines(locale: Locale, { variables }: Pick<TemplateText, 'variables'>): string[] {
  const { optional, byDefault } = factWords[locale]
  return variables.map((variable) => {
    const { required, default: value } = variable
    const called = variableLabelAndName(locale, variable)
    const line = value === undefined ? called : byDefault(called, JSON.stringify(value))
    return required ? line : optional(line)
  })
}

type TemplateText = Pick<TemplateView['template'], 'subject' | 'messages' | 'variables'>

/**
 * What two versions are compared by: the subject and each block by language, what the block holds beside, the
 * variables.
 */
function textChanges(
  locale: Locale,
  { template: now, names }: TemplateView,
  before: TemplateText,
): Compared[] {
  const nameOf = (id: string) => names.get(id) ?? id
  const words = factWords[locale]
  const blocks = Math.max(before.messages.length, now.messages.length)
  const inLanguages = (what: string, old: unknown, fresh: unknown) =>
    locales.map((language) =>
      comparedLines(
        words.inLanguage(what, kitWords[locale].languages[language]),
        textsIn(old, language),
        textsIn(fresh, language),
      ),
    )
  return [
    ...inLanguages(words.blocks.subject, before.subject, now.subject),
    ...Array.from({ length: blocks }, (_, index) => {
      const [what, old, fresh] = [words.block(String(index + 1)), before.messages[index], now.messages[index]]
      const parts = [
        ...inLanguages(what, old, fresh),
        comparedLines(what, settingsIn(old, nameOf), settingsIn(fresh, nameOf)),
      ]
      return parts.some(hasChanged) ? parts : [comparedAsStored(what, old, fresh)]
    }).flat(),
    {
      what: words.labels.variables,
      before: { stored: before.variables, sections: [variableLines(locale, before)] },
      now: { stored: now.variables, sections: [variableLines(locale, now)] },
    },
  ]
}
