import { channels } from '../../contract/enums.ts'
import type { Category } from '../../db/queries/catalogue/category.ts'
import type { Services } from '../context.ts'

/** The id of the category that stands in where none is chosen yet. No category has it, since it is no id. */
export const noCategoryId = ' '

/** What stands in for a category while something is drawn: it goes out on every channel that there is. */
export function noCategory({ channels: registry }: Pick<Services, 'channels'>): Category {
  return {
    id: noCategoryId,
    name: { 'zh-TW': '—' },
    layer: 'service',
    consentScope: null,
    channelPlan: { mode: 'all', channels: channels.filter((channel) => registry[channel] !== undefined) },
    approvalRule: 'manual',
    autoMaxRecipients: 0,
    quietHours: null,
    frequencyCap: null,
    onUnknown: 'keep',
    acknowledgement: null,
    holdSeconds: 0,
    links: 'direct',
    enabled: true,
  }
}
