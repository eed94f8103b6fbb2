import type { TemplateVariable } from '../../contract/templates/template.ts'
import { faultOf, hasLiquid, parseText, renderedLengthMax, unlessElsewhere, variablesOf } from './liquid.ts'
import type { TemplateText } from './render.ts'
import { messageMeter, type RenderMeter } from './render-steps.ts'
import { mapTexts } from './texts.ts'

export type TemplateIssue = { path: string; message: string }

/**
 * The issues of a template when it is saved: texts that are not valid Liquid, variables that a text uses but the list
 * lacks, and duplicate names in the list. Paths point into the request body.
 * @throws NeedsThread
 */
export function checkTemplate(
  template: TemplateText,
  variables: TemplateVariable[],
  within: RenderMeter,
): TemplateIssue[] {
  const names = variables.map((variable) => variable.name)
  const listed = new Set(names)
  const meter = messageMeter(within)
  const issues: TemplateIssue[] = names
    .map((name, index) => ({
      path: `variables[${index}].name`,
      message: `must be listed once; ${name} is listed twice`,
      name,
      index,
    }))
    .filter(({ name, index }) => names.indexOf(name) !== index)
    .map(({ path, message }) => ({ path, message }))
  mapTexts(template, (text, path) => {
    issues.push(...textIssues(text, path, listed, meter))
    return text
  })
  return issues
}

function textIssues(text: string, path: string, listed: Set<string>, meter: RenderMeter): TemplateIssue[] {
  if (!hasLiquid(text) && text.length <= renderedLengthMax) return []
  try {
    return variablesOf(parseText(text, meter))
      .filter((name) => !listed.has(name))
      .map((name) => ({ path, message: `must not use ${name} without listing it in variables` }))
  } catch (error) {
    return [{ path, message: `must be a valid template; ${faultOf(unlessElsewhere(error))}` }]
  }
}
