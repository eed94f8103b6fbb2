import { Context, Liquid, type Template } from 'liquidjs'
import { boundEngine, boundedOperators } from './liquid-bounds.ts'

/**
 * Liquid as templates may use it: values and their layout, nothing else. Files cannot be reached (no partials, no
 * layouts), the moment of rendering cannot be read, and time, memory and length are bounded.
 */

/** Characters one text may have before and after rendering; a longer one fits no channel. */
export const renderedLengthMax = 20_000
/** What rendering all texts of one message may take together: ms of time, and units of memory as Liquid counts them. */
const renderLimitMs = 500
const memoryLimit = 5_000_000

const engine = new Liquid({
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  parseLimit: renderedLengthMax,
  renderLimit: renderLimitMs,
  memoryLimit,
  // A date keeps the offset it was given with; the server's own time zone must not show.
  preserveTimezones: true,
  timezoneOffset: 0,
  operators: boundedOperators,
  templates: {},
})

for (const tag of ['include', 'render', 'layout', 'block']) delete engine.tags[tag]
// Neither chance nor the clock: the same variables must give the same text.
const date = engine.filters.date as (this: unknown, value: unknown, ...rest: unknown[]) => unknown
engine.registerFilter('date', function (this: unknown, value: unknown, ...rest: unknown[]) {
  if (value === 'now' || value === 'today') throw new Error('the date filter needs a variable, not the clock')
  return date.call(this, value, ...rest)
})
for (const name of Object.keys(engine.filters)) {
  if (name === 'sample' || name.startsWith('date_')) engine.unregisterFilter(name)
}
boundEngine(engine)

export type ParsedText = Template[]

/** Parses a text. Throws where it is no valid Liquid, naming line and column. */
export function parseText(text: string): ParsedText {
  return engine.parse(text)
}

/** The variables a text takes from outside, without their properties; those it assigns itself are not among them. */
export function variablesOf(text: ParsedText): string[] {
  return engine.globalVariablesSync(text, { partials: false })
}

/** What a failed parsing or rendering says. */
export function faultOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The variable (or the property of one) that a failed rendering could not find, else null. */
export function undefinedVariable(error: unknown): string | null {
  const cause = (error as { originalError?: { variableName?: string } }).originalError
  return cause?.variableName ?? null
}

/** A renderer for the texts of one message: they share the limits of time and memory, but no assignments. */
export function rendererFor(variables: Record<string, unknown>): (text: ParsedText) => string {
  const shared = new Context({}, engine.options, { sync: true }, { liquid: engine })
  const values = mapValues(variables, guarded)
  return (text) => {
    const rendered = String(engine.renderSync(text, shared.spawn(values)))
    if (rendered.length > renderedLengthMax) throw new Error(`longer than ${renderedLengthMax} characters`)
    return rendered
  }
}

/** What objects inherit here: Liquid would write them as "[object Object]", and somebody would be sent that. */
const noText = {
  toString() {
    throw new Error('an object is no text; name one of its properties')
  },
}

/** The same value, of which no object can become text; its properties can. */
function guarded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(guarded)
  if (typeof value !== 'object' || value === null) return value
  return Object.setPrototypeOf(mapValues(value, guarded), noText)
}

function mapValues(of: object, change: (value: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]))
}
