import { limits } from '../../../../contract/limits.ts'
import { isStorableValue } from '../../../../domain/lib/json-values.ts'

/**
 * The fields of a form, by name. A name is a path of JSON: `messages.0.text.en`; with `[]` at its end, a list of the
 * values of all fields of that name; with `#` at its end, a value written as JSON, such as a number.
 */
export type Fields = [name: string, value: string][]

/** Fields as pages ask for them. `numbers`: of the entries of each list, in their order; `filled`: paths with something in them. */
type FieldIndex = { values: Map<string, string[]>; numbers: Map<string, number[]>; filled: Set<string> }

const indices = new WeakMap<Fields, FieldIndex>()

/** The values of all fields of a name. A page asks for hundreds of them: the fields are read once. */
export function valuesOf(fields: Fields, name: string): readonly string[] {
  return indexOf(fields).values.get(name) ?? []
}

/** The numbers of the entries of a list, in their order. */
export function numbersIn(fields: Fields, list: string): readonly number[] {
  return indexOf(fields).numbers.get(list) ?? []
}

/** Whether something is written at a path, or below it. */
export function isFilled(fields: Fields, path: string): boolean {
  return indexOf(fields).filled.has(path)
}

function indexOf(fields: Fields): FieldIndex {
  const memo = indices.get(fields)
  if (memo) return memo
  const values = new Map<string, string[]>()
  const lists = new Map<string, Set<number>>()
  const filled = new Set<string>()
  for (const [name, value] of fields) {
    const same = values.get(name)
    if (same) same.push(value)
    else values.set(name, [value])
    if (value !== '')
      for (let path = pathOf(name); path !== ''; path = path.slice(0, Math.max(0, path.lastIndexOf('.'))))
        filled.add(path)
    for (const { index, 1: number } of name.matchAll(/\.(\d{1,4})(?=\.)/g)) {
      const list = name.slice(0, index)
      lists.set(list, (lists.get(list) ?? new Set()).add(Number(number)))
    }
  }
  const sorted = [...lists].map(
    ([list, numbers]) => [list, [...numbers].sort((one, other) => one - other)] as const,
  )
  const index = { values, numbers: new Map(sorted), filled }
  indices.set(fields, index)
  return index
}

/** The path that a name stands for. */
export function pathOf(name: string): string {
  return name.replace(/(\[\]|#)$/, '')
}

/** Whether a field is that of a path, or below it. */
export function isIn(name: string, path: string): boolean {
  return pathOf(name) === path || name.startsWith(`${path}.`)
}

/** Whether a value has names and values: a form may say anything. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What was written as JSON. */
class JsonValue {
  readonly value: unknown
  constructor(value: unknown) {
    this.value = value
  }
}
type Parts = { [name: string]: Part }
type Part = Parts | string | string[] | JsonValue

/**
 * The value that the fields describe. What is empty is left out, so that an empty field is one that was not given; lists
 * close up. Names that would reach a prototype describe nothing. Word's own line end (U+000B) is one.
 */
export function jsonOf(fields: Fields): unknown {
  const root: Parts = Object.create(null)
  for (const [name, value] of fields) if (value !== '') put(root, name, value.replaceAll('\v', '\n'))
  return closed(root) ?? {}
}

function put(root: Parts, name: string, value: string): void {
  const list = name.endsWith('[]')
  const path = pathOf(name).split('.')
  if (path.includes('__proto__')) return
  const last = path.pop()!
  let at = root
  for (const step of path) {
    at[step] ??= Object.create(null) as Parts
    const next = at[step]
    if (typeof next === 'string' || Array.isArray(next) || next instanceof JsonValue) return
    at = next
  }
  if (name.endsWith('#')) at[last] = readJson(value)
  else if (!list) at[last] = value
  else if (Array.isArray(at[last])) at[last].push(value)
  else at[last] = [value]
}

/** What is no JSON, or nested too deep for its readers, stays a text, which the schema then refuses. */
function readJson(value: string): Part {
  try {
    const read: unknown = JSON.parse(value)
    return isStorableValue(read, limits.jsonDepth) ? new JsonValue(read) : value
  } catch {
    return value
  }
}

/** With lists for objects whose names are numbers; undefined if nothing is left. */
function closed(part: Part): unknown {
  if (typeof part === 'string' || Array.isArray(part)) return part
  if (part instanceof JsonValue) return part.value
  const entries = Object.entries(part).flatMap(([name, inside]): [string, unknown][] => {
    const value = closed(inside)
    return value === undefined ? [] : [[name, value]]
  })
  if (entries.length === 0) return undefined
  if (!entries.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(entries)
  return entries.sort(([one], [other]) => Number(one) - Number(other)).map(([, value]) => value)
}

/** The fields that describe a value: `jsonOf` of them is the value, without what is empty in it. */
export function fieldsOf(value: unknown, path = ''): Fields {
  if (value === null || value === undefined || value === '') return []
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object') return [[`${path}#`, JSON.stringify(value)]]
  if (Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'))
    return value.map((one) => [`${path}[]`, one])
  const at = path === '' ? '' : `${path}.`
  return Object.entries(value).flatMap(([name, inside]) => fieldsOf(inside, `${at}${name}`))
}
