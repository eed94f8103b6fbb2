import { isOneOf, reservedNames, type ScenarioVersionState } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import { type Broken, broken, type Issue } from '../../contract/rules.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import type { Violation } from '../audience/audience.ts'
import { missingVariables } from '../content/render.ts'

/** The variables of a start with their defaults, or what is wrong with them. */
type StartVariables = { variables: Record<string, unknown> } | { missing: string[] } | { issue: Issue }

/**
 * Whether starts give a version declared variables alone: it is or was in force, and a person has approved what they
 * say.
 */
export function takesDeclaredOnly(version: {
  versionState: ScenarioVersionState
  autoApproved: boolean
}): boolean {
  return !version.autoApproved && isOneOf(['in_force', 'replaced'], version.versionState)
}

/**
 * The variables with which runs start. `declaredOnly`: a person approved what the declared ones may say; otherwise others
 * are kept too, as a Lookup's answer would be.
 */
export function startVariables(
  declared: TemplateVariable[],
  values: Record<string, unknown>,
  { declaredOnly }: { declaredOnly: boolean },
): StartVariables {
  const names = Object.keys(values)
  const reserved = names.find((name) => isOneOf(reservedNames, name))
  if (reserved !== undefined) return wrong(broken('reserved', { of: 'variable', values: [reserved] }))
  const declaredNames = declared.map(({ name }) => name)
  if (declaredOnly && names.some((name) => !declaredNames.includes(name)))
    return wrong(broken('not_one_of', { of: 'scenario_variables', values: declaredNames }))
  if (Buffer.byteLength(JSON.stringify(values)) > limits.runVariablesBytes)
    return wrong(broken('too_large', { limit: limits.runVariablesBytes / 1_024, unit: 'KiB' }))
  const missing = missingVariables(declared, values)
  if (missing.length > 0) return { missing }
  const set = Object.entries(values).filter(([, value]) => value !== null)
  return { variables: { ...defaultsOf(declared), ...Object.fromEntries(set) } }
}

/**
 * What of an event's data a start takes: names that Carillon sets are left out, and, with `declaredOnly`, those that the
 * scenario does not declare, because an event says what happened, and not to whom it says it.
 */
export function eventVariables(
  declared: TemplateVariable[],
  data: Record<string, unknown>,
  { declaredOnly }: { declaredOnly: boolean },
): Record<string, unknown> {
  const declaredNames = declared.map(({ name }) => name)
  const entries = Object.entries(data).filter(
    ([name]) => !isOneOf(reservedNames, name) && (!declaredOnly || declaredNames.includes(name)),
  )
  return Object.fromEntries(entries)
}

/** What is wrong with variables that an event gives, and which are too large together: nothing else can be. */
export function tooLargeFrom(values: Record<string, unknown>): Violation {
  const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
  const [largest = ''] = Object.keys(values).toSorted(
    (one, other) => bytesOf(values[other]) - bytesOf(values[one]),
  )
  const most = `${limits.runVariablesBytes / 1_024} KiB`
  return {
    path: 'data',
    code: 'too_large',
    limit: limits.runVariablesBytes,
    message: {
      'zh-TW': `情境的變數以 JSON 計算合計超過 ${most}，其中最大的是「${largest}」。請縮短內容，或改由情境查詢（Lookup）取得。`,
      en: `The variables of the scenario have more than ${most} as JSON; the largest is ${largest}. Send less, or let the scenario look it up.`,
    },
  }
}

function wrong(rule: Broken): StartVariables {
  return { issue: { path: 'variables', ...rule } }
}

export function defaultsOf(declared: TemplateVariable[]): Record<string, unknown> {
  return Object.fromEntries(
    declared.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
  )
}
