import type { TemplateVariable } from '../contract/templates/template.ts'
import { faultOf, parseText, readingClock, variablesOf } from './liquid.ts'
import type { TemplateText } from './render.ts'
import { mapTexts } from './texts.ts'

export type TemplateIssue = { path: string; message: string }

/**
 * The issues of a template when it is saved: texts that are not valid Liquid, variables that a text uses but the list
 * lacks, and duplicate names in the list. Paths point into the request body.
 */
export function checkTemplate(template: TemplateText, variables: TemplateVariable[]): TemplateIssue[] {
  const names = variables.map((variable) => variable.name)
  const listed = new Set(names)
  const check = readingClock()
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
    issues.push(...textIssues(text, path, listed, check))
    return text
  })
  return issues
}

function textIssues(text: string, path: string, listed: Set<string>, check: () => void): TemplateIssue[] {
  try {
    check()
    return variablesOf(parseText(text))
      .filter((name) => !listed.has(name))
      .map((name) => ({ path, message: `must not use ${name} without listing it in variables` }))
  } catch (error) {
    return [{ path, message: `must be a valid template; ${faultOf(error)}` }]
  }
}
