import { type Context, defaultOperators, type FilterImplOptions, type Liquid, type Template } from 'liquidjs'

type Filter = (this: { context: Context }, value: unknown, ...rest: unknown[]) => unknown

/** What may be searched for, in characters: the time of a search grows with what is searched for, too. */
const wantedLengthMax = 1_000
const searches = /^(remove|replace|split)/

/**
 * Has Liquid keep its limits of time and memory where it forgets them by itself: it looks at the clock between the parts of
 * a text, and a part may be a thousand filters or conditions long; and what filters make, conditions read and `capture`
 * keeps costs no memory.
 */
export function boundEngine(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters))
    engine.registerFilter(name, boundedFilter(name, filter))
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = function* (templates: Template[], context, emitter) {
    const text = yield* renderTemplates(templates, context, emitter)
    if (!emitter) context.memoryLimit.use(text.length)
    return text
  }
}

/** The operators of conditions. */
export const boundedOperators = {
  ...defaultOperators,
  contains: (all: unknown, wanted: unknown, context: Context) => {
    lookAtClock(context)
    count(context, all)
    if (typeof all === 'string') refuseLong(wanted)
    return defaultOperators.contains!(all, wanted, context)
  },
}

function boundedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (typeof filter !== 'function') return filter
  const bounded: Filter = function (value, ...rest) {
    lookAtClock(this.context)
    if (searches.test(name)) refuseLong(rest[0])
    const made = (filter as Filter).call(this, value, ...rest)
    count(this.context, made)
    return made
  }
  return bounded
}

function lookAtClock({ renderLimit }: Context): void {
  renderLimit.check(performance.now())
}

function count({ memoryLimit }: Context, text: unknown): void {
  if (typeof text === 'string') memoryLimit.use(text.length)
}

function refuseLong(wanted: unknown): void {
  if (typeof wanted === 'string' && wanted.length > wantedLengthMax)
    throw new Error(`no text longer than ${wantedLengthMax} characters is searched for`)
}
