import type { LocalisedText } from '../../contract/localised-text.ts'
import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { Violation } from '../audience/audience.ts'
import { hasLiquid, reasonOf, rendererFor, undefinedVariable, unlessElsewhere } from './liquid.ts'
import { isBounded } from './liquid-reading.ts'
import { NeedsThread, type RenderMeter } from './render-steps.ts'
import { mapTexts } from './texts.ts'
import { hostsFromValues, hostsIn, invisibleDropped } from './value-hosts.ts'

/** The texts of a template version that are rendered. */
export type TemplateText = { messages: CanonicalMessage[]; subject: LocalisedText | null }

export type Rendering = TemplateText & {
  /** Required variables, or properties of variables, that are missing. */
  missing: string[]
  /** The texts that name a variable, or a property of one, without a value. */
  unfilled: { path: string; name: string }[]
  /** Texts that could not be rendered; `messages` contains them unrendered. */
  violations: Violation[]
  /** What approvers and producers should know of the values. */
  warnings: Violation[]
}

/** What a template is filled with: the values that are given of its variables. `timeZone`: of the unit (liquid-dates.ts). */
export type Filling = { variables: TemplateVariable[]; values: Record<string, unknown>; timeZone: string }

/** Renders a template, as `render` does for a unit with a meter. */
export type Render = (
  template: TemplateText,
  variables: TemplateVariable[],
  values: Record<string, unknown>,
) => Rendering

/**
 * Renders every text and URL of a template. Fills the list of variables first, because strict Liquid throws even on
 * `{% if a %}`.
 * Ignores given variables that are not in the list. The steps that it takes are counted in `meter`.
 * @throws NeedsThread
 */
export function render(
  template: TemplateText,
  { variables, values, timeZone }: Filling,
  meter: RenderMeter,
): Rendering {
  const missing = new Set(missingVariables(variables, values))
  const unfilled: Rendering['unfilled'] = []
  const violations: Violation[] = []
  const warnings: Violation[] = []
  let own: Set<string> | undefined
  const renderer = rendererFor({ variables: fillVariables(variables, values), timeZone }, meter)
  const rendered = mapTexts(template, (text, path, use) => {
    if (!hasLiquid(text)) return text
    if (meter.here && !isBounded(text)) throw new NeedsThread()
    try {
      const result = renderer.render(text, use === 'light')
      own ??= hostsOf(template, variables)
      const hosts = hostsIn(result, use).filter((host) => !own!.has(host))
      if (hosts.length > 0) warnings.push(hostsFromValues(path, hosts))
      return use === 'url' && URL.canParse(result) ? new URL(result).href : result
    } catch (thrown) {
      const error = unlessElsewhere(thrown)
      const name = undefinedVariable(error)
      if (name === null) violations.push(unrenderable(path, error))
      else {
        unfilled.push({ path, name })
        if (!missing.has(name.split('.')[0]!)) missing.add(name)
      }
      return text
    }
  })
  warnings.push(...[...renderer.invisible].map(invisibleDropped))
  return { ...rendered, missing: [...missing], unfilled, violations, warnings }
}

/** The hosts that a template names itself, also in the defaults of its variables. */
function hostsOf(template: TemplateText, variables: TemplateVariable[]): Set<string> {
  const hosts = new Set(variables.flatMap(({ default: otherwise }) => hostsIn(textIn(otherwise), 'text')))
  mapTexts(template, (text, _path, use) => {
    for (const host of hostsIn(text, use)) hosts.add(host)
    return text
  })
  return hosts
}

function textIn(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

/** Required variables that are missing; null counts as missing. */
export function missingVariables(variables: TemplateVariable[], values: Record<string, unknown>): string[] {
  return variables
    .filter(({ name, required }) => required && givenValue(values, name) === null)
    .map((v) => v.name)
}

function fillVariables(
  variables: TemplateVariable[],
  values: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    variables
      .filter(({ name, required }) => !required || givenValue(values, name) !== null)
      .map(({ name, default: otherwise }) => [name, givenValue(values, name) ?? otherwise ?? null]),
  )
}

function givenValue(values: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(values, name) ? (values[name] ?? null) : null
}

function unrenderable(path: string, error: unknown): Violation {
  const { 'zh-TW': zh, en } = reasonOf(error)
  return {
    path,
    code: 'not_renderable',
    message: { 'zh-TW': `範本無法產生這段文字：${zh}。`, en: `The template cannot produce this text: ${en}` },
  }
}
