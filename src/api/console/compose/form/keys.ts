import { randomUUID } from 'node:crypto'
import { limits } from '../../../../contract/limits.ts'
import type { Fields } from './fields.ts'

/**
 * The field of an entry of a list that says which one it is, whatever its number: the script finds by it what somebody has
 * typed there, after entries were added, moved and removed (docs/design/console.md). No part of what is written.
 */
export const keyField = 'key'

/** The steps of a name to an entry of a list whose entries have keys. */
const entries = /(?<=(?:^|\.)(?:messages|actions|options|cards|questions|variables)\.\d{1,4})\./g

/** Whether a field holds the key of an entry. */
export function isKey(name: string): boolean {
  return /\.\d{1,4}\.key$/.test(name)
}

/** What new keys begin with. `press`: the name of the press that makes them, if it has one. */
export function newKey(press: string | null = null): string {
  return press !== null && /^\w{1,20}$/.test(press) ? press : randomUUID().slice(0, 8)
}

/**
 * With a key for each entry that has none. `prefix`: what new keys begin with, so that the same press, repeated because
 * nobody heard its answer, makes the same.
 */
export function withKeys(fields: Fields, prefix: string): Fields {
  const unnamed = new Set<string>()
  // What is longer is refused where it is stored.
  for (const [name] of fields)
    if (name.length <= limits.compositionFieldLength)
      for (const { index } of name.matchAll(entries)) unnamed.add(`${name.slice(0, index)}.${keyField}`)
  for (const [name, value] of fields) if (value !== '') unnamed.delete(name)
  if (unnamed.size === 0) return fields
  const named = fields.filter(([name]) => !unnamed.has(name))
  return [...named, ...[...unnamed].map((name, at): [string, string] => [name, `${prefix}${at}`])]
}
