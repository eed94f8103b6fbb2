import { broken, type Issue } from '../../contract/rules.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import { hasLiquid, parseText, reasonOf, renderedLengthMax, unlessElsewhere, variablesOf } from './liquid.ts'
import type { TemplateText } from './render.ts'
import { messageMeter, type RenderMeter } from './render-steps.ts'
import { mapTexts } from './texts.ts'

/**
 * The issues of a template when it is saved: texts that are not valid Liquid, variables that a text uses but the list
 * lacks, and duplicate names in the list. Paths point into the request body.
 * @throws NeedsThread
 */
export function checkTemplate(
  template: TemplateText,
  variables: TemplateVariable[],
  within: RenderMeter,
): Issue[] {
  const names = variables.map((variable) => variable.name)
  const nameSet = new Set(names)
  const meter = messageMeter(within)
  const issues: Issue[] = names.flatMap((name, index) =>
    names.indexOf(name) === index
      ? []
      : [{ path: `variables[${index}].name`, ...broken('repeated', { of: 'variable', value: name }) }],
  )
  mapTexts(template, (text, path) => {
    issues.push(...textIssues(text, path, nameSet, meter))
    return text
  })
  return issues
}

function textIssues(text: string, path: string, nameSet: Set<string>, meter: RenderMeter): Issue[] {
  if (!hasLiquid(text) && text.length <= renderedLengthMax) return []
  try {
    return variablesOf(parseText(text, meter))
      .filter((name) => !nameSet.has(name))
      .map((name) => ({ path, ...broken('unlisted_variable', { value: name }) }))
  } catch (error) {
    return [{ path, ...broken('invalid_template', { because: reasonOf(unlessElsewhere(error)) }) }]
  }
}
