import { isOneOf, keysOf } from '../../../../contract/enums.ts'
import { type Fields, isIn, numbersIn } from './fields.ts'
import { isKey, keyField } from './keys.ts'

/** The kinds of block that can be written in a form, in the order in which they are offered. */
export const writtenKinds = ['text', 'image', 'buttons', 'card', 'carousel', 'quickReply', 'sticker'] as const
export type WrittenKind = (typeof writtenKinds)[number]

/**
 * A press that changes what is written, without sending it: `add text`, `remove messages.1`, `up messages.1`,
 * `down messages.1`, `copy messages.1`, and `more messages.1.options`, which adds an empty entry to a list.
 */
export type Change = { what: 'add' | 'remove' | 'up' | 'down' | 'copy' | 'more'; of: string }

/** The change of a button; null: it is none. */
export function changeOf(act: string): Change | null {
  const [, what, of] = /^(add|remove|up|down|copy|more) ([\w.-]{1,60})$/.exec(act) ?? []
  return what === undefined || of === undefined ? null : { what: what as Change['what'], of }
}

/** What is written after a change; as before if it changes nothing. */
export function changed(fields: Fields, { what, of }: Change): Fields {
  switch (what) {
    case 'add':
      return withBlock(fields, of)
    case 'more':
      return withEntry(fields, of)
    case 'remove':
      return without(fields, of)
    case 'copy':
      return withCopy(fields, of)
    case 'up':
    case 'down':
      return swapped(fields, of, what === 'up' ? -1 : 1)
  }
}

/** How many entries the list of a new block begins with. */
const initialEntries: Partial<Record<WrittenKind, [list: string, entries: number]>> = {
  quickReply: ['options', 2],
  buttons: ['actions', 1],
  carousel: ['cards', 2],
}

/** The questions that can be asked in a pattern: one of a few answers, or any text. */
export const askedKinds = ['choice', 'typed'] as const

function withBlock(fields: Fields, kind: string): Fields {
  if (isOneOf(askedKinds, kind)) return withQuestion(fields, kind)
  if (isOneOf(keysOf(variableTypes), kind)) return withVariable(fields, kind)
  if (!isOneOf(writtenKinds, kind)) return fields
  const block = `messages.${nextIn(fields, 'messages')}`
  const [list, entries] = initialEntries[kind] ?? ['', 0]
  let all: Fields = [...fields, [`${block}.kind`, kind]]
  for (let n = 0; n < entries; n += 1) all = withEntry(all, `${block}.${list}`)
  return all
}

function withQuestion(fields: Fields, kind: (typeof askedKinds)[number]): Fields {
  const question = `questions.${nextIn(fields, 'questions')}`
  const withId: Fields = [...fields, [`${question}.id`, freeId(fields, 'questions', 'q')]]
  if (kind === 'typed') return withId
  return withEntry(withEntry(withId, `${question}.options`), `${question}.options`)
}

/** What the default value of a new variable begins with: it says of which type its values are. */
const variableTypes = { textVariable: ['default', ''], numberVariable: ['default#', '0'] } as const

/** People call it by its label; texts name it by what it is called here, which never changes. */
function withVariable(fields: Fields, type: keyof typeof variableTypes): Fields {
  const number = nextIn(fields, 'variables')
  const variable = `variables.${number}`
  const [name, value] = variableTypes[type]
  return [...fields, [`${variable}.name`, freeName(fields, number + 1)], [`${variable}.${name}`, value]]
}

/** The name of a new variable: none that a text still names, though its variable is gone. */
function freeName(fields: Fields, first: number): string {
  let number = first
  while (fields.some(([, value]) => value.includes(`${ownName}${number}`))) number += 1
  return `${ownName}${number}`
}

/** What the names of variables that the form makes begin with. */
export const ownName = 'field_'

/** A new entry: an option has an id of its own, which answers are stored by; a button opens a link. */
function withEntry(fields: Fields, list: string): Fields {
  const number = nextIn(fields, list)
  const entry = `${list}.${number}`
  if (list.endsWith('.actions')) return [...fields, [`${entry}.kind`, 'uri']]
  if (!list.endsWith('.options')) return [...fields, [`${entry}.${keyField}`, '']]
  return [...fields, [`${entry}.id`, freeId(fields, list, 'o')]]
}

/** The id of a new entry: answers are stored by it, so that it is not that of another one. */
function freeId(fields: Fields, list: string, letter: string): string {
  const ids = fields
    .filter(([name]) => name.startsWith(`${list}.`) && name.endsWith('.id'))
    .map(([, id]) => id)
  let number = nextIn(fields, list) + 1
  while (ids.includes(`${letter}${number}`)) number += 1
  return `${letter}${number}`
}

/** The first number that is free in a list. */
function nextIn(fields: Fields, list: string): number {
  return 1 + Math.max(-1, ...numbersIn(fields, list))
}

/** With the same entry again behind it, which gets keys of its own. */
function withCopy(fields: Fields, of: string): Fields {
  const [, list, number] = entryPath.exec(of) ?? []
  if (list === undefined || !numbersIn(fields, list).includes(Number(number))) return fields
  const behind = numbersIn(fields, list).filter((one) => one > Number(number))
  const apart = behind
    .toReversed()
    .reduce((all, one) => moved(all, `${list}.${one}.`, `${list}.${one + 1}.`), fields)
  const copy = `${list}.${Number(number) + 1}.`
  const added = fields
    .filter(([name]) => name.startsWith(`${of}.`) && !isKey(name))
    .map(([name, value]): [string, string] => [copy + name.slice(of.length + 1), value])
  return [...apart, ...added]
}

/** Without a field, or an entry of a list, which closes up. */
function without(fields: Fields, of: string): Fields {
  const kept = fields.filter(([name]) => !isIn(name, of))
  const [, list, number] = entryPath.exec(of) ?? []
  if (list === undefined) return kept
  const behind = numbersIn(kept, list).filter((one) => one > Number(number))
  return behind.reduce((all, one) => moved(all, `${list}.${one}.`, `${list}.${one - 1}.`), kept)
}

/** With what begins with one path beginning with another. */
function moved(fields: Fields, from: string, to: string): Fields {
  return fields.map(([name, value]) => [name.startsWith(from) ? to + name.slice(from.length) : name, value])
}

/** The path of an entry: that of its list, and its number there. */
const entryPath = /^(.+)\.(\d{1,4})$/

function swapped(fields: Fields, of: string, by: -1 | 1): Fields {
  const [, list, number] = entryPath.exec(of) ?? []
  if (list === undefined) return fields
  const numbers = numbersIn(fields, list)
  const at = numbers.indexOf(Number(number))
  const other = numbers[at + by]
  if (at < 0 || other === undefined) return fields
  const from = `${list}.${number}.`
  const to = `${list}.${other}.`
  return fields.map(([name, value]) => {
    if (name.startsWith(from)) return [to + name.slice(from.length), value]
    if (name.startsWith(to)) return [from + name.slice(to.length), value]
    return [name, value]
  })
}
