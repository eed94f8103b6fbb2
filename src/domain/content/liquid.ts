import { Context, Liquid, type Template, toValueSync } from 'liquidjs'
import { liquidOpenings } from '../../contract/enums.ts'
import { limits } from '../../contract/limits.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { isInexact } from '../lib/json-values.ts'
import { keptByText } from '../lib/kept-by-text.ts'
import { invisibleIn, withoutInvisible } from './invisible-text.ts'
import { marksIn } from './light-values.ts'
import { boundEngine, boundedOperators, Filled, lightEmitter } from './liquid-bounds.ts'
import { readDatesByUnit } from './liquid-dates.ts'
import { assertShallow, charactersToParse } from './liquid-reading.ts'
import { globalsOf } from './liquid-variables.ts'
import { messageMeter, NeedsThread, type RenderMeter, spend } from './render-steps.ts'
import { TemplateFault } from './template-fault.ts'

/**
 * The Liquid that templates may use: values and their formatting. No access to files (partials, layouts) or to the
 * current time; steps and length are limited. What takes many steps blocks the thread it runs on: services reach it through
 * `services.rendering`.
 */

/** Maximum characters of a text before and after rendering; a longer one fits no channel. */
export const renderedLengthMax = 20_000

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: renderedLengthMax,
  // A date keeps its own offset; the server's time zone must not show.
  preserveTimezones: true,
  timezoneOffset: 0,
  // Reaches an emitter as it is, whatever the library's type says.
  outputEscape: (value: unknown) => new Filled(value) as never,
  operators: boundedOperators,
  templates: {},
})

for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
// No randomness: the same variables must give the same text.
engine.unregisterFilter('sample')
// Liquid's own would let a value be more than text.
engine.registerFilter('raw', (value: unknown) => value)
readDatesByUnit(engine)
boundEngine(engine)

type ParsedText = Template[]

/** Whether a text has Liquid at all: any other renders to itself. */
export function hasLiquid(text: string): boolean {
  return liquidOpenings.some((opening) => text.includes(opening))
}

/**
 * Parses a text, and counts what that takes, also where it is known already.
 * @throws NeedsThread; Error with line and column if it is not valid Liquid; TemplateFault
 */
export function parseText(text: string, meter: RenderMeter): ParsedText {
  spend(meter, charactersToParse(text))
  return parsed(text)
}

/** Characters of text whose parsed form is cached; it takes up to a hundred times the memory. */
const parsedLengthMax = 1_000_000

/** Cached: parsing takes longer than rendering, and templates are reused. */
const parsed = keptByText(parsedLengthMax, (text): ParsedText => {
  assertShallow(text)
  return engine.parse(text)
})

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
  const cause = causeOf(error)
  const [, line, column] = /line:(\d+), col:(\d+)/.exec(faultOf(error)) ?? []
  const at = line === undefined ? '' : `（第 ${line} 行第 ${column} 字）`
  return { 'zh-TW': `${reasonInChinese(cause)}${at}`, en: faultOf(error) }
}

/** What Liquid has wrapped with its line and column. */
function causeOf(error: unknown): unknown {
  return (error as { originalError?: unknown }).originalError ?? error
}

function reasonInChinese(cause: unknown): string {
  if (cause instanceof TemplateFault) return cause.reason['zh-TW']
  return faultOf(cause).includes('limit exceeded') ? '長度超過上限' : '語法或變數的值不正確'
}

/** The variable (or property of one) that rendering could not find, or null if it failed for another reason. */
export function undefinedVariable(error: unknown): string | null {
  const cause = (error as { originalError?: { variableName?: string } }).originalError
  return cause?.variableName ?? null
}

/** What texts are filled with. `timeZone`: of the unit, by which moments in UTC are shown. */
export type Filling = { variables: Record<string, unknown>; timeZone: string }

/** A renderer, and what it left out of the values that it has put in. */
export type Renderer = {
  /** `isLight`: the text is lightly formatted; what a value contains is text there, and no mark. */
  render(text: string, isLight: boolean): string
  /** The variables with invisible characters, which were dropped. */
  invisible: ReadonlySet<string>
}

/**
 * A renderer for the texts of one message, which share the limits of steps and length, but no assignments.
 * @throws NeedsThread
 */
export function rendererFor({ variables, timeZone }: Filling, within: RenderMeter): Renderer {
  const meter = messageMeter(within)
  const memoryLimit = { use: (characters: number) => spend(meter, +characters), check: () => {} }
  const options = { ...engine.options, timezoneOffset: timeZone }
  const shared = new Context({}, options, { sync: true, renderLimit: Number.POSITIVE_INFINITY }, {
    liquid: engine,
    memoryLimit,
  } as never)
  const invisible = new Set<string>()
  const values = mapLazily(variables, (value, name) =>
    presentable(value, { meter, dropped: () => void invisible.add(name) }),
  )
  let length = 0
  const render = (text: string, isLight: boolean) => {
    const parsed = parseText(text, meter)
    const context = shared.spawn(values)
    const rendered = String(
      isLight
        ? toValueSync(engine.renderer.renderTemplates(parsed, context, lightEmitter(memoryLimit)))
        : engine.renderSync(parsed, context),
    )
    if (rendered.length > renderedLengthMax)
      throw new TemplateFault({
        'zh-TW': `結果超過 ${renderedLengthMax} 個字`,
        en: `the result is longer than ${renderedLengthMax} characters`,
      })
    // A mark takes about as long to read as a part of a text does.
    if (isLight) spend(meter, marksIn(rendered) * limits.charactersPerStep)
    length += rendered.length
    if (length > limits.textLength)
      throw new TemplateFault({
        'zh-TW': `所有文字合計超過 ${limits.textLength} 個字`,
        en: `the texts together are longer than ${limits.textLength} characters`,
      })
    return rendered
  }
  return { render, invisible }
}

/** Passes on what only asks for another thread: it says nothing about the text. */
export function unlessElsewhere(error: unknown): unknown {
  const cause = causeOf(error)
  if (cause instanceof NeedsThread) throw cause
  return error
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

/** What a value counts for that is prepared for a text, in characters. */
const presentedCharacters = 10

type Presenting = { meter: RenderMeter; dropped: () => void }

/**
 * The same value without invisible characters, and with objects and inexact numbers that cannot be rendered themselves;
 * properties of objects can.
 */
function presentable(value: unknown, presenting: Presenting): unknown {
  spend(presenting.meter, presentedCharacters)
  if (typeof value === 'string') return visible(value, presenting)
  if (typeof value === 'number') return isInexact(value) ? noNumber : value
  if (Array.isArray(value)) return value.map((one) => presentable(one, presenting))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, one]) => [name, presentable(one, presenting)])
  return Object.setPrototypeOf(Object.fromEntries(fields), noText)
}

function visible(value: string, { dropped }: Presenting): string {
  if (invisibleIn(value) === null) return value
  dropped()
  return withoutInvisible(value)
}

/** The same fields, each changed when it is first read: a text names few of the variables that a message is given. */
function mapLazily(of: object, change: (value: unknown, name: string) => unknown): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(of)) {
    const get = () => {
      const changed = change(value, name)
      Object.defineProperty(result, name, { value: changed })
      return changed
    }
    Object.defineProperty(result, name, { get, enumerable: true, configurable: true })
  }
  return result
}
