import type { ChosenDimension } from '../../contract/audience-values.ts'
import { describeIssue } from '../../contract/describe-issue.ts'
import type { LocalisedText } from '../../contract/localised-text.ts'
import { CreateMessage } from '../../contract/messages/create.ts'
import { instantOf, wallOf } from '../../domain/schedule/wall-time.ts'
import { marker } from './acts.ts'
import { type Fields, fieldsOf, jsonOf, pathOf } from './fields.ts'

/**
 * What is wrong with a field: its path, the server's code, and its words for it, which may be in both languages.
 * `missing`: nothing is written there.
 */
export type FieldIssue = { name: string; code: string; message: string | LocalisedText; missing: boolean }

/** The message that a form describes; without `body`, what is wrong with which field. */
export type Described = { body: CreateMessage; issues: [] } | { body: null; issues: FieldIssue[] }

/** Where a form says whether it is about a template or about words of its own: what the other has written stays. */
export const contentField = 'content'
/** What a message of each has, of what is in the form. */
const contentOf = { blocks: ['messages', 'subject'], template: ['templateId', 'variables'] } as const

/** What stands before the name of a dimension in the field that looks for values of it. */
const searchPrefix = 'find.'

/** The name of the field that looks for values of a dimension, or for templates. */
export function searchFor(dimension: ChosenDimension | 'templates'): string {
  return `${searchPrefix}${dimension}`
}

/** Times, which people write as the wall time of their unit. */
const times = ['scheduleAt', 'expiresAt', 'remindAt', 'calendar.start', 'calendar.end']

/** Reads the fields of a form as the body of create. `timeZone`: of the unit, in which people write their times. */
export function describedBy(fields: Fields, timeZone: string): Described {
  const content = fields.some(([name, value]) => name === contentField && value === 'template')
  const unused = contentOf[content ? 'blocks' : 'template']
  const isOfBody = (name: string) =>
    name !== contentField &&
    !name.startsWith(searchPrefix) &&
    !name.endsWith(`.${marker}`) &&
    !unused.some((one) => isIn(name, one))
  const value = jsonOf(
    fields
      .filter(([name]) => isOfBody(name))
      .map(([name, text]) => [name, times.includes(name) ? (instantIn(text, timeZone) ?? text) : text]),
  )
  const read = CreateMessage.safeParse(withCards(withHistory(value)), { error: describeIssue })
  if (read.success) return { body: read.data, issues: [] }
  const missing = (path: string) => !fields.some(([name, text]) => text !== '' && isIn(name, path))
  const issues = read.error.issues.map(({ path: steps, message }) => {
    const name = steps.join('.')
    return { name, code: 'validation_error', message, missing: missing(name) }
  })
  return { body: null, issues }
}

/** The issue of a path as errors and violations have it: `messages[0].title.en`. */
export function issueAt(path: string, code: string, message: string | LocalisedText): FieldIssue {
  return { name: path.replace(/\[(\d+)\]/g, '.$1'), code, message, missing: false }
}

type DraftBody = { templateId?: string; variables?: Record<string, unknown>; [field: string]: unknown }

/** The fields of a form that describes this body. */
export function writtenOf({ variables = {}, ...body }: DraftBody, timeZone: string): Fields {
  // The names in a value of a variable are no paths: it is written as one piece.
  const values = Object.entries(variables).map(([name, value]): [string, string] =>
    typeof value === 'string' ? [`variables.${name}`, value] : [`variables.${name}#`, JSON.stringify(value)],
  )
  const fields = [...fieldsOf(withoutHistory(body)), ...values].map(([name, text]): [string, string] => [
    name,
    times.includes(name) ? wallIn(text, timeZone) : text,
  ])
  return [[contentField, body.templateId !== undefined ? 'template' : 'blocks'], ...fields]
}

function isIn(name: string, path: string): boolean {
  return pathOf(name) === path || name.startsWith(`${path}.`)
}

/** The instant of a wall time such as `2026-12-01T09:00`; null if it is none. */
function instantIn(wall: string, timeZone: string): string | null {
  const shown = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(wall) ? Date.parse(`${wall}Z`) : Number.NaN
  return Number.isNaN(shown) ? null : new Date(instantOf(shown, timeZone)).toISOString()
}

/** The wall time of an instant, to the second where it is not a whole minute. */
function wallIn(instant: string, timeZone: string): string {
  const shown = new Date(wallOf(Date.parse(instant), timeZone)).toISOString()
  return shown.slice(0, shown.slice(16, 19) === ':00' ? 16 : 19)
}

/** What one thing is called that people have received or done before. */
const historyKeys = { registered: 'patternInstanceId', received: 'messageId', answered: 'messageId' } as const
export type HistoryKind = keyof typeof historyKeys
export const historyKinds = Object.keys(historyKeys) as HistoryKind[]

type Dimensions = { history?: unknown; exclude?: Dimensions }

/** A form has a list of ids for each kind of history; an answer is chosen as the message, a slash and the option. */
function withHistory(value: unknown): unknown {
  return onAudience(value, ({ history, ...rest }) => {
    if (history === undefined) return rest
    const chosen = history as Partial<Record<HistoryKind, string[]>>
    const entries = historyKinds.flatMap((kind) =>
      (chosen[kind] ?? []).map((written) => {
        const [id = '', ...option] = written.split('/')
        return { kind, [historyKeys[kind]]: id, ...(option.length > 0 && { optionId: option.join('/') }) }
      }),
    )
    return { ...rest, history: entries }
  })
}

function withoutHistory(value: object): unknown {
  return onAudience(value, ({ history, ...rest }) => {
    if (!Array.isArray(history)) return rest
    const chosen: Partial<Record<HistoryKind, string[]>> = {}
    for (const entry of history as {
      kind: HistoryKind
      optionId?: string
      [key: string]: string | undefined
    }[]) {
      const id = entry[historyKeys[entry.kind]]!
      chosen[entry.kind] = [...(chosen[entry.kind] ?? []), entry.optionId ? `${id}/${entry.optionId}` : id]
    }
    return { ...rest, history: chosen }
  })
}

type Block = { kind?: string; cards?: Block[]; actions?: unknown }

/** A card may have no buttons, and in a carousel everything is a card: a form says neither. */
function withCards(value: unknown): unknown {
  const { messages, ...body } = value as { messages?: Block[] }
  if (!Array.isArray(messages)) return body
  const asCard = (card: Block): Block => ({ actions: [], ...card, kind: 'card' })
  const blocks = messages.map((block) => {
    if (block.kind === 'card') return asCard(block)
    return Array.isArray(block.cards) ? { ...block, cards: block.cards.map(asCard) } : block
  })
  return { ...body, messages: blocks }
}

/** With something done to the audience, and to what it leaves out. */
function onAudience(value: unknown, change: (one: Dimensions) => Dimensions): unknown {
  const body = value as { audience?: Dimensions }
  if (typeof body.audience !== 'object') return body
  const { exclude, ...audience } = change(body.audience)
  return { ...body, audience: { ...audience, ...(exclude !== undefined && { exclude: change(exclude) }) } }
}
