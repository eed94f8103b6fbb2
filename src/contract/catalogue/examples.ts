import type { Category } from './category.ts'

export const exampleCategory: Category = {
  id: 'campus-events',
  name: { 'zh-TW': '校園活動', en: 'Campus events' },
  layer: 'service',
  consentScope: null,
  channelPlan: { mode: 'first_available', channels: ['chat'] },
  approval_rule: 'auto',
  autoMaxRecipients: 2_000,
  quietHours: null,
  frequencyCap: null,
  onUnknown: 'keep',
  acknowledgement: { 'zh-TW': '已收到：{label}', en: 'Got it: {label}' },
  holdSeconds: 0,
  links: 'direct',
  enabled: true,
}
