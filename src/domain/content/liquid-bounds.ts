import { type Context, defaultOperators, type FilterImplOptions, type Liquid, type Template } from 'liquidjs'
import { limits } from '../../contract/limits.ts'
import { asValue, withoutValueMarks } from './light-values.ts'
import { namesCountOf } from './liquid-variables.ts'
import { TemplateFault } from './template-fault.ts'

/**
 * What is counted beside the characters that are read and written, in characters: a microsecond of a processor counts for
 * 50 to 200.
 */
const cost = {
  /** Of an opening of Liquid that is parsed, and of each character up to its end. */
  opening: 100,
  markup: 20,
  /** A name, a value, an operator or a filter that a part evaluates. */
  name: 100,
  /** A value in a list or an object that is read; one that is compared with another. */
  element: 20,
  compared: 80,
  /** One for which a filter evaluates an expression, or a path; and a character of these. */
  evaluated: 300,
  evaluatedCharacter: 10,
  date: 3_000,
  dateCode: 300,
  /** The name of a month, a day or a time zone, in a date. */
  dateName: 8_000,
}
/** Maximum length of a search text, in characters: the time of a search grows with it. */
const wantedLengthMax = 1_000
/** Characters of a search text that a search compares as quickly as one. */
const comparedAtOnce = 16
const searches = /^(remove|replace|split)/
const evaluating = /^(where|reject|group_by|has|find|map|sum|sort)/

type Filter = (this: { context: Context }, value: unknown, ...rest: unknown[]) => unknown
type Counter = Pick<Context['memoryLimit'], 'use'>

/**
 * Liquid's own limit of memory counts characters that some filters make. Counts there what Liquid does not: parts, loops,
 * conditions, what filters read, write and compare, and what is written out. No text takes longer than its steps allow.
 */
export function boundEngine(engine: Liquid): void {
  for (const [name, filter] of Object.entries(engine.filters))
    engine.registerFilter(name, boundedFilter(name, filter))
  const { renderer } = engine
  const renderTemplates = renderer.renderTemplates.bind(renderer)
  renderer.renderTemplates = (templates: Template[], context, emitter) => {
    context.memoryLimit.use(limits.charactersPerStep * (1 + templates.length) + charactersOf(templates))
    return renderTemplates(templates, context, emitter ?? countingEmitter(context.memoryLimit, textOf))
  }
}

/** The operators of conditions, with enforced limits: lists are compared value by value. */
export const boundedOperators = {
  ...defaultOperators,
  '==': comparing('=='),
  '!=': comparing('!='),
  '>': comparing('>'),
  '<': comparing('<'),
  '>=': comparing('>='),
  '<=': comparing('<='),
  contains: comparing('contains'),
}

type Comparison = Extract<
  (typeof defaultOperators)[string],
  (one: never, other: never, context: Context) => unknown
>

function comparing(name: string): Comparison {
  const compare = defaultOperators[name] as Comparison
  return (one, other, context) => {
    for (const value of [one, other])
      if (Array.isArray(value)) count(context.memoryLimit, value, cost.compared)
    if (name === 'contains') countSearch(context, one, other)
    return compare(one, other, context)
  }
}

const counted = new WeakMap<Template[], number>()

/** What the names of these parts count for each time that they are rendered. */
function charactersOf(templates: Template[]): number {
  let characters = counted.get(templates)
  if (characters === undefined) {
    characters = cost.name * templates.reduce((sum, template) => sum + namesCountOf(template), 0)
    counted.set(templates, characters)
  }
  return characters
}

type Emitter = Required<Parameters<Liquid['renderer']['renderTemplates']>>[2]

/** Writes what parts come to, each as `write` puts it. */
function countingEmitter(counter: Counter, write: (value: unknown) => string): Emitter {
  let output = ''
  return {
    write(value: unknown) {
      count(counter, value instanceof Filled ? value.value : value)
      output += write(value)
    },
    get buffer() {
      return output
    },
  } as Emitter
}

/** What a text puts in where it names a value. */
export class Filled {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}

/** Writes a lightly formatted text, whose values stay text; what the author has written has no marks of values. */
export function lightEmitter(counter: Counter): Emitter {
  return countingEmitter(counter, (value) =>
    (value instanceof Filled ? asValue : withoutValueMarks)(textOf(value)),
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Filled) return textOf(value.value)
  if (value === undefined || value === null) return ''
  return Array.isArray(value) ? value.map(textOf).join('') : String(value)
}

function boundedFilter(name: string, filter: FilterImplOptions): FilterImplOptions {
  if (typeof filter !== 'function') return filter
  const bounded: Filter = function (value, ...rest) {
    const { memoryLimit } = this.context
    for (const one of [value, ...rest]) count(memoryLimit, one)
    if (searches.test(name)) countSearch(this.context, value, rest[0])
    if (name === 'date') memoryLimit.use(costOfDate(rest))
    if (evaluating.test(name)) countEvaluated(memoryLimit, value, rest)
    const result = (filter as Filter).call(this, value, ...rest)
    count(memoryLimit, result)
    return result
  }
  return bounded
}

/**
 * Counts a text by its characters, and a list or an object by what is in it, however deep: lists that a text puts into one
 * another may stand for far more than they take.
 */
function count(counter: Counter, value: unknown, each: number = cost.element): void {
  if (typeof value === 'string') counter.use(value.length)
  else if (Array.isArray(value)) {
    counter.use(each * value.length)
    for (const one of value) count(counter, one, each)
  } else if (isFields(value)) for (const one of Object.values(value)) count(counter, [one], each)
}

/** An object that JSON has made; Liquid has others, such as an iterator, or what it knows of a loop. */
function isFields(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return !('next' in value) && !('valueOf' in value && typeof value.valueOf() !== 'object')
}

function countSearch({ memoryLimit }: Context, all: unknown, wanted: unknown): void {
  if (typeof all !== 'string' || typeof wanted !== 'string') return
  if (wanted.length > wantedLengthMax)
    throw new TemplateFault({
      'zh-TW': `搜尋的文字不能超過 ${wantedLengthMax} 個字`,
      en: `a search text may have at most ${wantedLengthMax} characters`,
    })
  memoryLimit.use(Math.ceil(all.length * (1 + wanted.length / comparedAtOnce)))
}

function costOfDate([format, timeZone]: unknown[]): number {
  const codes = typeof format === 'string' ? (format.match(/%[^a-zA-Z+%]*[a-zA-Z+]/g) ?? []) : []
  const names = codes.filter((code) => /[aAbBhcZ+]$/.test(code)).length + (timeZone === undefined ? 0 : 1)
  return cost.date + cost.dateCode * codes.length + cost.dateName * names
}

function countEvaluated(counter: Counter, value: unknown, rest: unknown[]): void {
  const elements = Array.isArray(value) ? value.length : isFields(value) ? Object.keys(value).length : 1
  let each = cost.evaluated
  const perElement = {
    use: (characters: number) => {
      each += cost.evaluatedCharacter * characters
      if (each > Number.MAX_SAFE_INTEGER / 1_000_000) counter.use(each)
    },
  }
  for (const one of rest) count(perElement, one, 1)
  counter.use(elements * each)
}
