import { type Fields, listsIn, numbersIn, valuesOf } from './fields.ts'

/**
 * The field of an entry of a list that says which one it is, whatever its number: the script finds by it what somebody has
 * typed there, after entries were added, moved and removed (docs/design/console.md). No part of what is written.
 */
export const keyField = 'key'

/** The lists whose entries have keys. */
const lists = ['messages', 'actions', 'options', 'cards', 'questions', 'variables']

/** Whether a field holds the key of an entry. */
export function isKey(name: string): boolean {
  return /\.\d{1,4}\.key$/.test(name)
}

/**
 * With a key for each entry that has none. `prefix`: what new keys begin with, so that the same press, repeated because
 * nobody heard its answer, makes the same.
 */
export function withKeys(fields: Fields, prefix: string): Fields {
  const unnamed = listsIn(fields)
    .filter((list) => lists.includes(list.slice(list.lastIndexOf('.') + 1)))
    .flatMap((list) => numbersIn(fields, list).map((number) => `${list}.${number}.${keyField}`))
    .filter((name) => !valuesOf(fields, name)[0])
  if (unnamed.length === 0) return fields
  const names = new Set(unnamed)
  const named = fields.filter(([name]) => !names.has(name))
  return [...named, ...unnamed.map((name, at): [string, string] => [name, `${prefix}${at}`])]
}
