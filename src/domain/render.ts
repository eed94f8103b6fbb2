import { liquidOpenings } from '../contract/enums.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import type { CanonicalMessage } from '../contract/messages/content.ts'
import type { TemplateVariable } from '../contract/templates/template.ts'
import type { Violation } from './audience.ts'
import {
  type ParsedText,
  parseText,
  type RenderBudget,
  reasonOf,
  renderBudget,
  rendererFor,
  undefinedVariable,
} from './liquid.ts'
import { mapTexts } from './texts.ts'

/** The texts of a template version that are rendered. */
export type TemplateText = { messages: CanonicalMessage[]; subject: LocalisedText | null }

export type Rendering = TemplateText & {
  /** Required variables, or properties of variables, that are missing. */
  missing: string[]
  /** The texts that name a variable, or a property of one, without a value. */
  unfilled: { path: string; name: string }[]
  /** Texts that could not be rendered; `messages` contains them unrendered. */
  violations: Violation[]
}

/**
 * Renders every text and URL of a template. Fills the list of variables first, because strict Liquid throws even on
 * `{% if a %}`. Ignores given variables that are not in the list. The time it takes is taken from `budget`.
 */
export function render(
  template: TemplateText,
  variables: TemplateVariable[],
  given: Record<string, unknown>,
  budget: RenderBudget = renderBudget(),
): Rendering {
  const startedAt = performance.now()
  const missing = new Set(missingVariables(variables, given))
  const unfilled: Rendering['unfilled'] = []
  const violations: Violation[] = []
  const renderText = rendererFor(fillVariables(variables, given), budget)
  const rendered = mapTexts(template, (text, path, use) => {
    if (!hasLiquid(text)) return text
    try {
      const result = renderText(() => parsed(text))
      return use === 'url' && URL.canParse(result) ? new URL(result).href : result
    } catch (error) {
      const name = undefinedVariable(error)
      if (name === null) violations.push(unrenderable(path, error))
      else {
        unfilled.push({ path, name })
        if (!missing.has(name.split('.')[0]!)) missing.add(name)
      }
      return text
    }
  })
  budget.leftMs -= performance.now() - startedAt
  return { ...rendered, missing: [...missing], unfilled, violations }
}

/** Required variables that are missing; null counts as missing. */
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
  return liquidOpenings.some((opening) => text.includes(opening))
}

const parsedTexts = new Map<string, ParsedText>()
/** Characters of text whose parsed form is cached; it takes up to a hundred times the memory. */
const parsedLengthMax = 1_000_000
let parsedLength = 0

/** Cached: parsing takes longer than rendering, and templates are reused. */
function parsed(text: string): ParsedText {
  const known = parsedTexts.get(text)
  if (known) return known
  const parsedText = parseText(text)
  if (parsedLength + text.length > parsedLengthMax) {
    parsedTexts.clear()
    parsedLength = 0
  }
  parsedTexts.set(text, parsedText)
  parsedLength += text.length
  return parsedText
}

function unrenderable(path: string, error: unknown): Violation {
  const { 'zh-TW': zh, en } = reasonOf(error)
  return {
    path,
    code: 'not_renderable',
    message: { 'zh-TW': `範本無法產生這段文字：${zh}。`, en: `The template cannot produce this text: ${en}` },
  }
}
