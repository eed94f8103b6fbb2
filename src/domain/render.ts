import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { TemplateVariable } from '../contract/templates/template.ts'
import type { Violation } from './audience.ts'
import { faultOf, type ParsedText, parseText, rendererFor, undefinedVariable } from './liquid.ts'
import { mapTexts } from './texts.ts'

/** What a template version holds that has to be rendered. */
export type TemplateText = { messages: CanonicalMessage[]; subject: LocalisedText | null }

export type Rendering = TemplateText & {
  /** required variables, or properties of variables, that were not given */
  missing: string[]
  /** texts that could not be rendered; they stand in `messages` as they were written */
  violations: Violation[]
}

/**
 * Renders every text and address of a template. The list of variables is filled first, for Liquid is strict: it throws
 * even on `{% if a %}`. What was given beside the list is left out.
 */
export function render(
  template: TemplateText,
  variables: TemplateVariable[],
  given: Record<string, unknown>,
): Rendering {
  const missing = new Set(missingVariables(variables, given))
  const violations: Violation[] = []
  const renderText = rendererFor(fillVariables(variables, given))
  const rendered = mapTexts(template, (text, path, use) => {
    if (!hasLiquid(text)) return text
    try {
      const result = renderText(parsed(text))
      return use === 'url' && URL.canParse(result) ? new URL(result).href : result
    } catch (error) {
      const name = undefinedVariable(error)
      if (name === null) violations.push(unrenderable(path, error))
      else if (!missing.has(name.split('.')[0]!)) missing.add(name)
      return text
    }
  })
  return { ...rendered, missing: [...missing], violations }
}

/** Required variables that are not given; null counts as not given. */
export function missingVariables(variables: TemplateVariable[], given: Record<string, unknown>): string[] {
  return variables
    .filter(({ name, required }) => required && givenValue(given, name) === null)
    .map((v) => v.name)
}

function fillVariables(
  variables: TemplateVariable[],
  given: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    variables
      .filter(({ name, required }) => !required || givenValue(given, name) !== null)
      .map(({ name, default: otherwise }) => [name, givenValue(given, name) ?? otherwise ?? null]),
  )
}

function givenValue(given: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(given, name) ? (given[name] ?? null) : null
}

function hasLiquid(text: string): boolean {
  return text.includes('{{') || text.includes('{%')
}

const kept = new Map<string, ParsedText>()
const keptMax = 1_000

/** Parsing takes longer than rendering, and a template is used many times. */
function parsed(text: string): ParsedText {
  const known = kept.get(text)
  if (known) return known
  if (kept.size >= keptMax) kept.clear()
  const fresh = parseText(text)
  kept.set(text, fresh)
  return fresh
}

function unrenderable(path: string, error: unknown): Violation {
  const why = faultOf(error)
  return {
    path,
    code: 'not_renderable',
    message: { 'zh-TW': `範本無法產生這段文字：${why}`, en: `The template cannot render this text: ${why}` },
  }
}
