import type { Cleared } from '../../channels/cleared.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Locale } from '../../contract/enums.ts'
import type { DueHandoffNotice } from '../../db/queries/handoff/notice.ts'
import { buttonMail } from './button-mail.ts'
import { formatTime } from './format-time.ts'

const chinese = {
  subject: (unit: string) => `有人在等「${unit}」回覆`,
  scenario: (name: string) => `情境「${name}」的一段對話已轉由單位人員接手。`,
  assistant: '智慧助理的一段對話已轉由單位人員接手。',
  since: (moment: string) => `開始時間：${moment}`,
  silence: '雙方超過 24 小時沒有往來，對話會自動結束。',
  open: '查看並回覆',
  reason: (unit: string) => `您是「${unit}」的成員，因此收到這封信。`,
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    subject: (unit) => `Someone is waiting for ${unit}`,
    scenario: (name) => `A conversation of the scenario “${name}” has been handed over to your unit.`,
    assistant: 'The assistant has handed a conversation over to your unit.',
    since: (moment) => `Since ${moment}`,
    silence: 'It closes automatically after 24 hours without a message.',
    open: 'Read and reply',
    reason: (unit) => `You receive this because you belong to ${unit}.`,
  },
}

/**
 * The mail to a person of the unit, in their language. It says nothing of who asks, and nothing of what they said.
 * `publicUrl`: without a trailing slash.
 */
export function handoffMail(notice: DueHandoffNotice, publicUrl: string): Cleared<CompiledEmail> {
  const { language, unit, timeZone, scenario, openedAt, handoffId } = notice
  const { subject, scenario: ofScenario, assistant, since, silence, open, reason } = words[language]
  return buttonMail('handoff_notice', language, publicUrl, {
    subject: subject(unit),
    unit,
    reason: reason(unit),
    text: [
      scenario === null ? assistant : ofScenario(scenario),
      since(formatTime(language, timeZone, openedAt)),
      '',
      silence,
    ].join('\n'),
    button: { label: open, to: `${publicUrl}/handoffs/${handoffId}` },
  })
}
