import { type Channel, locales } from '../../contract/enums.ts'
import type { ChangePreferences } from '../../contract/recipients/recipient.ts'

/** Names of the form fields of the preferences page. */
export const fieldOf = {
  category: (id: string, channel: Channel) => `category/${channel}/${id}`,
  topic: (id: string) => `topic/${id}`,
}

/**
 * Reads the choices made on the preferences page: a shown box that is not ticked is off. Undefined for any other form.
 */
export function readChoices(form: URLSearchParams): ChangePreferences | undefined {
  const language = locales.find((locale) => locale === form.get('language'))
  const shown = form.getAll('shown')
  if (language === undefined && shown.length === 0) return undefined
  const on = new Set(form.getAll('on'))
  const categories: NonNullable<ChangePreferences['categories']> = {}
  const topics: NonNullable<ChangePreferences['topics']> = {}
  for (const field of shown) {
    const [, channel, category] = /^category\/(chat|email)\/(.+)$/.exec(field) ?? []
    const [, topic] = /^topic\/(.+)$/.exec(field) ?? []
    if (category !== undefined) categories[category] = { ...categories[category], [channel!]: on.has(field) }
    if (topic !== undefined) topics[topic] = on.has(field)
  }
  return { ...(language && { language }), categories, topics }
}
