import { type Context, defaultOperators, type FilterImplOptions, type Liquid, type Template } from 'liquidjs'
import { TemplateFault } from './template-fault.ts'

type Filter = (this: { context: Context }, value: unknown, ...rest: unknown[]) => unknown

/** What a step of a text costs, in Liquid's units of memory: ten thousand steps may take a tenth of a second. */
const stepUnits = 250
/** Maximum length of a search text, in characters: the time of a search grows with it. */
const wantedLengthMax = 1_000
const searches = /^(remove|replace|split)/

/**
 * Enforces Liquid's limits of time and memory where Liquid does not: it checks the time only between the parts of a
 * text, and a part may contain a thousand filters or conditions; and it does not count the memory of filter results, of
 * values that conditions read, and of `capture`. The steps of loops count as memory too, so that what is rejected does
 * not depend on how busy the machine is.
 */
export function boundEngine(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters))
    engine.registerFilter(name, boundedFilter(name, filter))
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = function* (templates: Template[], context, emitter) {
    context.memoryLimit.use(stepUnits * (1 + templates.length))
    const text = yield* renderTemplates(templates, context, emitter)
    if (!emitter) context.memoryLimit.use(text.length)
    return text
  }
}

/** The operators of conditions, with enforced limits. */
export const boundedOperators = {
  ...defaultOperators,
  contains: (all: unknown, wanted: unknown, context: Context) => {
    checkTime(context)
    count(context, all)
    if (typeof all === 'string') rejectLong(wanted)
    return defaultOperators.contains!(all, wanted, context)
  },
}

function boundedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (typeof filter !== 'function') return filter
  const bounded: Filter = function (value, ...rest) {
    checkTime(this.context)
    if (searches.test(name)) rejectLong(rest[0])
    const made = (filter as Filter).call(this, value, ...rest)
    count(this.context, made)
    return made
  }
  return bounded
}

function checkTime({ renderLimit }: Context): void {
  renderLimit.check(performance.now())
}

function count({ memoryLimit }: Context, value: unknown): void {
  if (typeof value === 'string' || Array.isArray(value)) memoryLimit.use(value.length)
}

function rejectLong(wanted: unknown): void {
  if (typeof wanted === 'string' && wanted.length > wantedLengthMax)
    throw new TemplateFault({
      'zh-TW': `搜尋的文字不能超過 ${wantedLengthMax} 個字`,
      en: `a search text may have at most ${wantedLengthMax} characters`,
    })
}
