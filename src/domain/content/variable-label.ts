import type { Locale } from '../../contract/enums.ts'
import { locales } from '../../contract/enums.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import { localise } from './localise.ts'

type Labelled = Pick<TemplateVariable, 'name' | 'label'>

/** What people call a variable. */
export function variableLabel(locale: Locale, { name, label }: Labelled): string {
  return label ? localise(locale, label) : name
}

/** The same with the name that texts use, where it is another. */
export function variableLabelAndName(locale: Locale, variable: Labelled): string {
  const { name, label } = variable
  if (!label) return name
  return locale === 'en' ? `${localise(locale, label)} (${name})` : `${localise(locale, label)}（${name}）`
}

/** What a preview shows for a value that is not given: the label in both languages, since both texts have the same value. */
export function valueStandIn(variable: Labelled): string {
  const labels = new Set(locales.map((locale) => variableLabel(locale, variable)))
  return `⟨${[...labels].join(' ')}⟩`
}
