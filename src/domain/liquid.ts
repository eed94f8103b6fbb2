import { Context, Liquid, type Template } from 'liquidjs'
import { limits } from '../contract/limits.ts'
import type { LocalisedText } from '../contract/localised-text.ts'
import { isInexact } from './json-values.ts'
import { boundEngine, boundedOperators } from './liquid-bounds.ts'
import { globalsOf } from './liquid-variables.ts'
import { TemplateFault } from './template-fault.ts'

/**
 * The Liquid that templates may use: values and their formatting. No access to files (partials, layouts) or to the
 * current time; time, memory and length are limited.
 */

/** Maximum characters of a text before and after rendering; a longer one fits no channel. */
export const renderedLengthMax = 20_000
/** Limits for parsing and rendering all texts of a message together: ms, and memory in Liquid's units. */
const renderLimitMs = 500
const memoryLimit = 5_000_000

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: renderedLengthMax,
  renderLimit: renderLimitMs,
  memoryLimit,
  // A date keeps its own offset; the server's time zone must not show.
  preserveTimezones: true,
  timezoneOffset: 0,
  operators: boundedOperators,
  templates: {},
})

for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
// No randomness and no clock: the same variables must give the same text.
const date = engine.filters.date as (this: unknown, value: unknown, ...rest: unknown[]) => unknown
engine.registerFilter('date', function (this: unknown, value: unknown, ...rest: unknown[]) {
  if (value === 'now' || value === 'today')
    throw new TemplateFault({
      'zh-TW': 'date 過濾器必須使用變數，範本不能讀取目前的時間',
      en: 'the date filter needs a variable: the current time is not available',
    })
  return date.call(this, value, ...rest)
})
for (const name of Object.keys(engine.filters)) {
  if (name === 'sample' || name.startsWith('date_')) engine.unregisterFilter(name)
}
boundEngine(engine)

export type ParsedText = Template[]

/**
 * Parses a text.
 * @throws Error with line and column if it is not valid Liquid
 */
export function parseText(text: string): ParsedText {
  return engine.parse(text)
}

/** The variables that a text reads, without their properties and without variables that it assigns itself. */
export function variablesOf(text: ParsedText): string[] {
  return globalsOf(text)
}

/** The message of a parsing or rendering error. */
export function faultOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Why a text could not be rendered, in both languages: those of Liquid's own errors are only in English. */
export function reasonOf(error: unknown): LocalisedText {
  const cause = (error as { originalError?: unknown }).originalError ?? error
  const [, line, column] = /line:(\d+), col:(\d+)/.exec(faultOf(error)) ?? []
  const at = line === undefined ? '' : `（第 ${line} 行第 ${column} 字）`
  return { 'zh-TW': `${reasonInChinese(cause)}${at}`, en: faultOf(error) }
}

function reasonInChinese(cause: unknown): string {
  if (cause instanceof TemplateFault) return cause.reason['zh-TW']
  return faultOf(cause).includes('limit exceeded')
    ? '所需的時間、記憶體或長度超過上限'
    : '語法或變數的值不正確'
}

/** The variable (or property of one) that rendering could not find, or null if it failed for another reason. */
export function undefinedVariable(error: unknown): string | null {
  const cause = (error as { originalError?: { variableName?: string } }).originalError
  return cause?.variableName ?? null
}

/** The time that several messages share, in ms of Liquid: those of a simulation. */
export type RenderBudget = { leftMs: number }

/** As much time as one message may take. */
export function renderBudget(): RenderBudget {
  return { leftMs: renderLimitMs }
}

/**
 * A renderer for the texts of one message, which share the limits of time, memory and length, but no assignments. Takes
 * a function that parses, so that parsing counts too.
 */
export function rendererFor(
  variables: Record<string, unknown>,
  { leftMs }: RenderBudget = renderBudget(),
): (parse: () => ParsedText) => string {
  const options = { sync: true, renderLimit: leftMs }
  const shared = new Context({}, engine.options, options, { liquid: engine })
  let values: Record<string, unknown> | undefined
  let length = 0
  return (parse) => {
    // A text is short enough to parse in a few ms; the time limit is checked before each, and while it is rendered.
    shared.renderLimit.check(performance.now())
    values ??= mapValues(variables, presentable)
    const rendered = String(engine.renderSync(parse(), shared.spawn(values)))
    if (rendered.length > renderedLengthMax)
      throw new TemplateFault({
        'zh-TW': `結果超過 ${renderedLengthMax} 個字`,
        en: `the result is longer than ${renderedLengthMax} characters`,
      })
    length += rendered.length
    if (length > limits.textLength)
      throw new TemplateFault({
        'zh-TW': `所有文字合計超過 ${limits.textLength} 個字`,
        en: `the texts together are longer than ${limits.textLength} characters`,
      })
    return rendered
  }
}

/** Checks, between the texts of a template, that reading them has not taken longer than rendering may. */
export function readingClock(): () => void {
  const end = performance.now() + renderLimitMs
  return () => {
    if (performance.now() > end) throw new Error('the template takes too long to read: shorten its texts')
  }
}

/** The prototype of objects given to Liquid, which would otherwise render them as "[object Object]". */
const noText = {
  toString() {
    throw new TemplateFault({
      'zh-TW': '物件不能直接顯示，請使用它的屬性',
      en: 'an object cannot be rendered: use one of its properties',
    })
  },
}

/** What is given to Liquid in place of a number that JSON has rounded: a text that names it would tell a wrong one. */
const noNumber = Object.create({
  [Symbol.toPrimitive]: rejectNumber,
  toJSON: rejectNumber,
})

function rejectNumber(): never {
  throw new TemplateFault({
    'zh-TW': '超過 ±(2^53 − 1) 的數字並不精確，請改以文字提供',
    en: 'a number beyond ±(2^53 − 1) is not exact: give it as a text',
  })
}

/** The same value, with objects and inexact numbers that cannot be rendered themselves; properties of objects can. */
function presentable(value: unknown): unknown {
  if (typeof value === 'number') return isInexact(value) ? noNumber : value
  if (Array.isArray(value)) return value.map(presentable)
  if (typeof value !== 'object' || value === null) return value
  return Object.setPrototypeOf(mapValues(value, presentable), noText)
}

function mapValues(of: object, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]))
}
