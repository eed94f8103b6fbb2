import type { Actor } from '../../../contract/common.ts'
import type { Locale } from '../../../contract/enums.ts'
import { scheduleOfActor } from '../../../domain/rights/principal.ts'

type ActorWords = {
  schedule: (name: string) => string
  /** By what stands before the colon of their id, or by the whole id; others are called as the API names them. */
  others: Record<string, string>
}

const actorWords: Record<Locale, ActorWords> = {
  'zh-TW': {
    schedule: (name) => `排程「${name}」`,
    others: {
      'system:auto': '自動審核',
      'system:mail': '郵件伺服器',
      'system:avatar': '對話助理',
      'operator:temporal': '維運人員（Temporal UI）',
      'operator:cli': '維運人員（指令列）',
      recipient: '收件人',
      scenario: '情境',
    },
  },
  en: { schedule: (name) => `the schedule “${name}”`, others: {} },
}

/** Who did something, in the words of the reader; a schedule is called one, since it has a name as a person has. */
export function actorName(locale: Locale, { id, name }: Actor): string {
  const { schedule, others } = actorWords[locale]
  if (scheduleOfActor(id) !== null) return schedule(name)
  return others[id] ?? others[id.split(':')[0]!] ?? name
}
