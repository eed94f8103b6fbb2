import { type HistoryKind, historyKinds } from '../../../../contract/enums.ts'
import { CreateMessage } from '../../../../contract/messages/create.ts'
import { type Fields, isIn, isRecord } from './fields.ts'
import { bodyIn, formOfBody, type ParseResult, readAs } from './parse-form.ts'
import type { Input } from './stand-ins.ts'

/** Where a form says whether it is about a template or about words of its own: what the other has written stays. */
export const contentField = 'content'
/** What a message of each has, of what is in the form. */
const contentOf = { blocks: ['messages', 'subject'], template: ['templateId', 'variables'] } as const

/** Reads the fields of a form as the body of create. `timeZone`: of the unit, in which people write their times. */
export function parseMessageForm(fields: Fields, timeZone: string): ParseResult<CreateMessage> {
  return readAs(CreateMessage, messageInput(fields, timeZone), fields)
}

/** What the fields of a form describe, which need not be a body yet. */
export function messageInput(fields: Fields, timeZone: string): Input {
  const ofTemplate = fields.some(([name, value]) => name === contentField && value === 'template')
  const unused = [contentField, ...contentOf[ofTemplate ? 'blocks' : 'template']]
  const used = fields.filter(([name]) => !unused.some((one) => isIn(name, one)))
  return { ...withCards(withHistory(bodyIn(used, timeZone))) }
}

type DraftBody = { templateId?: string; variables?: Record<string, unknown>; [field: string]: unknown }

/** The fields of a form that describes this body. */
export function formOfMessage({ variables = {}, ...body }: DraftBody, timeZone: string): Fields {
  // The names in a value of a variable are no paths: it is written as one piece.
  const values = Object.entries(variables).map(([name, value]): [string, string] =>
    typeof value === 'string' ? [`variables.${name}`, value] : [`variables.${name}#`, JSON.stringify(value)],
  )
  const content = body.templateId !== undefined ? 'template' : 'blocks'
  return [[contentField, content], ...formOfBody(withoutHistory(body), timeZone), ...values]
}

/** What one thing is called that people have received or done before. */
const historyKeys: Record<HistoryKind, string> = {
  registered: 'patternInstanceId',
  received: 'messageId',
  answered: 'messageId',
}

type Dimensions = Record<string, unknown>

/** A form has a list of ids for each kind of history; an answer is chosen as the message, a slash and the option. */
function withHistory(value: object): object {
  return onAudience(value, ({ history, ...rest }) => {
    if (!isRecord(history)) return history === undefined ? rest : { ...rest, history }
    const entries = historyKinds.flatMap((kind) =>
      [history[kind] ?? []].flat().map((choice) => {
        // What is no text, the schema refuses.
        if (typeof choice !== 'string') return { kind, [historyKeys[kind]]: choice }
        const [id = '', ...option] = choice.split('/')
        return { kind, [historyKeys[kind]]: id, ...(option.length > 0 && { optionId: option.join('/') }) }
      }),
    )
    return { ...rest, history: entries }
  })
}

function withoutHistory(value: object): object {
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

/** A card may have no buttons, and in a carousel everything is a card: a form says neither. */
export function withCards(value: object): object {
  const { messages, ...body } = value as { messages?: unknown }
  if (messages === undefined) return body
  if (!Array.isArray(messages)) return value
  return { ...body, messages: messages.map(withCard) }
}

function withCard(block: unknown): unknown {
  if (!isRecord(block)) return block
  if (block.kind === 'card') return asCard(block)
  return Array.isArray(block.cards) ? { ...block, cards: block.cards.map(asCard) } : block
}

function asCard(card: unknown): unknown {
  return isRecord(card) ? { actions: [], ...card, kind: 'card' } : card
}

/** With something done to the audience, and to what it leaves out. */
function onAudience(value: object, change: (one: Dimensions) => Dimensions): object {
  const { audience } = value as { audience?: unknown }
  if (!isRecord(audience)) return value
  const { exclude, ...others } = audience
  const left = isRecord(exclude) ? change(exclude) : exclude
  return { ...value, audience: { ...change(others), ...(exclude !== undefined && { exclude: left }) } }
}
