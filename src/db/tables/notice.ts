import type { Generated } from 'kysely'
import type { AuthorNotice } from '../../contract/enums.ts'
import type { DefaultInstant } from './columns.ts'

/** Mails to approvers. Defined in SQL: src/db/migrations. */

export type NoticeTables = {
  notice: NoticeTable
  author_notice: AuthorNoticeTable
}

/** `refused`, `failed`, `switched_off`: of an occurrence of a schedule that made nothing. */
export type ScheduleNoticeReason = 'refused' | 'failed' | 'switched_off'
export type NoticeReason = ScheduleNoticeReason | 'submitted' | 'check_failed' | 'quota' | 'drift' | 'small'
export type NoticeState = 'waiting' | 'sent' | 'failed' | 'obsolete'
export type NoticeTable = {
  id: Generated<string>
  message_id: string | null
  binding_id: string | null
  template_id: string | null
  scenario_id: string | null
  schedule_id: string | null
  version: number
  person_id: string
  reason: NoticeReason
  state: Generated<NoticeState>
  tries: Generated<number>
  next_try_at: DefaultInstant
  code: string | null
  created_at: DefaultInstant
  /** Whether it repeats a notice because the message is due soon. */
  second: Generated<boolean>
}

/** Mails to authors. */
export type AuthorNoticeTable = {
  id: Generated<string>
  /** Of a message, of a start, or of a version of a scenario. */
  message_id: string | null
  start_id: string | null
  scenario_id: string | null
  version: number
  person_id: string
  what: AuthorNotice
  state: Generated<NoticeState>
  tries: Generated<number>
  next_try_at: DefaultInstant
  code: string | null
  created_at: DefaultInstant
}
