import { channelFacts } from '../../channels/facts/by-channel.ts'
import { type Channel, channels, locales } from '../../contract/enums.ts'
import type { ChangePreferences } from '../../contract/subjects/recipients.ts'

/** A box of the preferences page: a category on a channel, or a topic. */
export type Box = { on: boolean } & ({ category: string; channel: Channel } | { topic: string })

/**
 * The boxes as they were shown, in one field, so that a form of a thousand boxes stays short: the ticks then need only
 * their index. An id of a topic takes 22 characters.
 */
export function shownField(boxes: Box[]): string {
  return boxes
    .map((box) => `${box.on ? '1' : '0'}${'topic' in box ? topicOf(box.topic) : categoryOf(box)}`)
    .join(' ')
}

function topicOf(id: string): string {
  return `t${Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url')}`
}

function categoryOf({ category, channel }: { category: string; channel: Channel }): string {
  return `${channelFacts[channel].formLetter}${category}`
}

/**
 * The choices that differ from what the page showed: what was changed elsewhere meanwhile stays. Undefined for other
 * forms.
 */
export function readChoices(form: URLSearchParams): ChangePreferences | undefined {
  const language = locales.find((locale) => locale === form.get('language'))
  const boxesText = form.get('shown')
  if (language === undefined && boxesText === null) return undefined
  const ticked = new Set(form.getAll('on'))
  const categories: NonNullable<ChangePreferences['categories']> = {}
  const topics: NonNullable<ChangePreferences['topics']> = {}
  for (const [index, field] of (boxesText ?? '').split(' ').entries()) {
    const [, was, kind, id] = /^([01])([a-z])(.+)$/.exec(field) ?? []
    const on = ticked.has(String(index))
    if (id === undefined || on === (was === '1')) continue
    if (kind === 't') topics[uuidOf(id)] = on
    const channel = channels.find((one) => channelFacts[one].formLetter === kind)
    if (channel) categories[id] = { ...categories[id], [channel]: on }
  }
  return { ...(language && { language }), categories, topics }
}

function uuidOf(packed: string): string {
  const hex = Buffer.from(packed, 'base64url').toString('hex')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.*)$/, '$1-$2-$3-$4-$5')
}
