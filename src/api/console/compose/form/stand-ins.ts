import { isOneOf, keysOf, locales } from '../../../../contract/enums.ts'
import type { LocalisedText } from '../../../../contract/localised-text.ts'
import { valueStandIn } from '../../../../domain/content/variable-label.ts'
import { noCategoryId } from '../../../../services/messages/no-category.ts'
import { standIns } from '../../preview/words.ts'
import { isRecord } from './fields.ts'
import type { FieldIssue } from './parse-form.ts'

/** A value as a form describes it, before it is known to be what it should. */
export type Input = Record<string, unknown>

/** Texts in both languages, by the names of their fields. */
const texts = ['text', 'title', 'body', 'label', 'alt', 'header', 'fallbackText', 'description', 'question']

/** What stands in for a part of what is written as a whole, by the name of its field. */
const wholes: Record<string, () => unknown> = {
  audience: () => ({ kind: 'all' }),
  categoryId: () => noCategoryId,
  name: () => 'name',
  title: () => standIns.text,
  deadline: () => new Date(Date.now() + 30 * 86_400_000).toISOString(),
}

/**
 * The same with something in place of what an issue is about, so that the rest of it can be drawn: a text says that there
 * is none yet, a block that cannot be drawn becomes such a text, and a setting is left out. The same again if nothing can be
 * done about it.
 */
export function withStandIn(input: Input, { name, missing, label }: FieldIssue): Input {
  const [field = '', number, ...rest] = name.split('.')
  const list = input[field]
  if (field === 'templateId') return withoutTemplate(input)
  if (field === 'messages' || field === 'questions') {
    const entries = Array.isArray(list) ? list : []
    const at = Number(number)
    const entry = number === undefined ? undefined : entries[at]
    if (entry === undefined) return { ...input, [field]: [emptyEntry(field)] }
    const repaired = missing ? withText(entry, rest) : undefined
    return { ...input, [field]: entries.with(at, repaired ?? bareEntry(field, entry)) }
  }
  // A template lists its variables, a message has their values.
  if (field === 'variables' && !Array.isArray(list) && number !== undefined)
    return {
      ...input,
      variables: { ...(isRecord(list) && list), [number]: valueStandIn({ name: number, label }) },
    }
  const { [field]: _, ...others } = input
  const whole = isOneOf(keysOf(wholes), field) ? { [field]: wholes[field]!() } : {}
  return field === '' ? input : { ...others, ...whole }
}

function withoutTemplate({ templateId: _, variables: __, ...input }: Input): Input {
  return { ...input, messages: [{ kind: 'text', text: standIns.template }] }
}

function emptyEntry(field: 'messages' | 'questions') {
  return field === 'messages' ? { kind: 'text', text: standIns.text } : { id: 'q1', text: standIns.text }
}

/** An entry of which no more than its own text is taken; not even that, if it has been tried. */
function bareEntry(field: 'messages' | 'questions', entry: unknown) {
  const { id, text } = isRecord(entry) ? entry : {}
  const isBare = isRecord(entry) && Object.keys(entry).every((name) => ['id', 'kind', 'text'].includes(name))
  const words = !isBare && isText(text) ? text : standIns.part
  return field === 'messages'
    ? { kind: 'text', text: words }
    : { id: typeof id === 'string' ? id : 'q1', text: words }
}

function isText(value: unknown): value is LocalisedText {
  return isRecord(value) && typeof value['zh-TW'] === 'string'
}

/** With a stand-in for the text at a path, whose end may be a language; undefined: it leads to none. */
function withText(value: unknown, path: readonly string[]): unknown {
  const [step, ...rest] = path
  if (step === undefined) return undefined
  if (isOneOf(texts, step) && rest.every((one) => isOneOf(locales, one)) && isRecord(value)) {
    const text = isRecord(value[step]) ? value[step] : {}
    return { ...value, [step]: { ...standIns.text, ...text, 'zh-TW': standIns.text['zh-TW'] } }
  }
  if (step === 'url' && rest.length === 0 && isRecord(value) && value.kind === 'uri')
    return { ...value, url: 'https://example.org/' }
  if (Array.isArray(value)) {
    const inside = withText(value[Number(step)], rest)
    return inside === undefined ? undefined : value.with(Number(step), inside)
  }
  if (!isRecord(value)) return undefined
  const inside = withText(value[step], rest)
  return inside === undefined ? undefined : { ...value, [step]: inside }
}
