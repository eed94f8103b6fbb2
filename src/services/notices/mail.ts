import type { Cleared } from '../../channels/cleared.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { DriftReason, Locale, PatternType } from '../../contract/enums.ts'
import type { DueNotice, NoticePattern } from '../../db/queries/message/notice.ts'
import type { NoticeReason, ScheduleNoticeReason } from '../../db/tables.ts'
import { clip } from '../../domain/content/graphemes.ts'
import { localise } from '../../domain/content/localise.ts'
import { spokenTexts } from '../../domain/content/spoken-texts.ts'
import { actorView } from '../actor.ts'
import { buttonMail } from './button-mail.ts'
import { driftLines } from './drift-lines.ts'
import { formatTime } from './format-time.ts'

type PatternMail = {
  title: Record<PatternType, (name: string) => string>
  why: Record<PatternType, string>
  open: string
}

const chinese = {
  subject: (title: string) => `待審核：${title}`,
  why: {
    submitted: '有一則訊息待您審核。',
    check_failed: '有一則訊息未通過自動檢查，請您審核。',
    quota: '有一則訊息因配額不足，未能自動核准，請您審核。',
    small: '有一則訊息的收件人不到 5 人，須由您核准。',
  } satisfies Record<Exclude<NoticeReason, 'drift' | ScheduleNoticeReason>, string>,
  drift: {
    audience: '有一則訊息在核准後收件人有變動，已退回，請您重新審核。',
    limit: '有一則自動核准的訊息，收件人數已超過自動核准的上限，請您審核。',
    quota: '有一則已核准的訊息因配額不足而退回，請您重新審核。',
    no_recipients: '有一則已核准的訊息到了發送時間仍沒有收件人，已退回，請您重新審核。',
  } satisfies Record<DriftReason, string>,
  scheduled: (name: string) => `這則訊息由排程「${name}」產生。`,
  /** The binding of (source, type), which waits for approval. */
  binding: {
    title: (source: string, type: string) => `${source} 的事件 ${type}`,
    why: '有一項事件綁定的變更待您審核。核准前，現行版本仍然有效。',
    open: '前往審核',
  },
  /** A version of a template, which waits for approval. */
  template: {
    title: (name: string) => `範本「${name}」`,
    why: '有一個範本的新版本待您審核。核准前，訊息仍使用先前核准的版本。',
    open: '前往審核',
  },
  /** A version of a scenario, which waits for approval. */
  scenario: {
    title: (name: string) => `情境「${name}」`,
    why: '有一個情境的新版本待您審核。核准前，現行版本仍然有效。',
    open: '前往審核',
  },
  /** The same of one that a pattern generated. */
  pattern: {
    title: {
      registration: (name) => `報名「${name}」`,
      survey: (name) => `問卷「${name}」`,
      rsvp: (name) => `出席調查「${name}」`,
    },
    why: {
      registration: '有一個報名待您審核。若是修改，核准前大家看到的仍是現在的內容。',
      survey: '有一份問卷待您審核。若是修改，核准前大家看到的仍是現在的內容。',
      rsvp: '有一份出席調查待您審核。若是修改，核准前大家看到的仍是現在的內容。',
    },
    open: '前往審核',
  } satisfies PatternMail,
  /** An occurrence of a schedule that made nothing. `due`: when it was due. */
  schedule: {
    subject: (name: string) => `排程未執行：${name}`,
    why: {
      refused: '排程到期時未執行：建立者目前的權限不足。',
      failed: '排程到期時未執行：發生錯誤。',
      switched_off: '排程已連續三次未能執行，因此已停用。排除問題後，請單位的編輯者重新啟用。',
    } satisfies Record<ScheduleNoticeReason, string>,
    facts: (due: string, code: string) => `預定時間：${due}\n錯誤代碼：${code}`,
    open: '查看說明',
  },
  /** Instead of the subject and at the head of a second notice. */
  again: {
    subject: (title: string) => `仍待審核：${title}`,
    text: (due: string) => `這則訊息仍待審核，期限為 ${due}。`,
  },
  /** Replaces the title of a personal message, which would reveal its text. */
  personal: '個人訊息',
  reach: (people: string) => `收件人數：${people}`,
  author: (name: string) => `撰寫者：${name}`,
  /** `at`: null: once approved. */
  sends: (at: string | null) => `發送時間：${at ?? '核准後立即發送'}`,
  open: '前往審核',
  reason: (unit: string, category: string) =>
    `您是「${unit}」的核准者，因此收到這封信。通知類別：${category}。`,
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    subject: (title) => `Approval needed: ${title}`,
    why: {
      submitted: 'A message is waiting for your approval.',
      check_failed: 'A message did not pass the automatic check and needs your decision.',
      quota: 'A message exceeds the quota and needs your decision.',
      small: 'A message to fewer than 5 people needs your approval.',
    },
    drift: {
      audience: 'The recipients of a message have changed since it was approved. It needs another review.',
      limit:
        'A message that was approved automatically now has more recipients than may be approved that way. It ' +
        'needs your decision.',
      quota: 'The quota no longer covers an approved message. It needs another review.',
      no_recipients:
        'An approved message had no recipients at the time of the send. It needs another review.',
    },
    scheduled: (name) => `The message was created by the schedule “${name}”.`,
    binding: {
      title: (source, type) => `events ${type} of ${source}`,
      why:
        'A change of an event binding is waiting for your approval. Until then the current version stays ' +
        'in force.',
      open: 'Review the binding',
    },
    template: {
      title: (name) => `the template “${name}”`,
      why: 'A new version of a template is waiting for your approval. Until then messages use the last approved one.',
      open: 'Review the template',
    },
    scenario: {
      title: (name) => `the scenario “${name}”`,
      why:
        'A new version of a scenario is waiting for your approval. Until then the current version stays in ' +
        'force.',
      open: 'Review the scenario',
    },
    pattern: {
      title: {
        registration: (name) => `the registration “${name}”`,
        survey: (name) => `the survey “${name}”`,
        rsvp: (name) => `the RSVP “${name}”`,
      },
      why: {
        registration:
          'A registration is waiting for your approval. If it is a change, people see what it is now until then.',
        survey:
          'A survey is waiting for your approval. If it is a change, people see what it is now until then.',
        rsvp: 'An RSVP is waiting for your approval. If it is a change, people see what it is now until then.',
      },
      open: 'Open it',
    },
    schedule: {
      subject: (name) => `Schedule not executed: ${name}`,
      why: {
        refused: 'A schedule was due, but nothing was sent: the rights of its author no longer suffice.',
        failed: 'A schedule was due, but nothing was sent because of an error.',
        switched_off:
          'A schedule has failed three times in a row and is now disabled. An editor of the unit can ' +
          'enable it again once the cause is fixed.',
      },
      facts: (due, code) => `Due: ${due}\nError code: ${code}`,
      open: 'Read about schedules',
    },
    again: {
      subject: (title) => `Approval still needed: ${title}`,
      text: (due) => `This message is still waiting. It is due on ${due}.`,
    },
    personal: 'a personal message',
    reach: (people) => `Recipients: ${people}`,
    author: (name) => `Author: ${name}`,
    sends: (at) => `Send time: ${at ?? 'once approved'}`,
    open: 'Review the message',
    reason: (unit, category) =>
      `You receive this because you approve messages of ${unit}. Category: ${category}.`,
  },
}

/**
 * The mail to an approver, in their language. It contains counts, never recipients. `publicUrl`: without a trailing
 * slash.
 */
export function noticeMail(notice: DueNotice, publicUrl: string): Cleared<CompiledEmail> {
  const { language } = notice
  const { subject, text, open } = notice.about === 'schedule' ? ofSchedule(notice) : forApproval(notice)
  const to =
    notice.about === 'schedule'
      ? `${publicUrl}/docs/api/schedules`
      : `${publicUrl}/approvals/${notice.about}/${notice.objectId}?version=${notice.version}`
  return buttonMail('notice', language, publicUrl, {
    subject,
    unit: notice.unit,
    reason: words[language].reason(notice.unit, localise(language, notice.category)),
    text,
    button: { label: open, to },
  })
}

type ScheduleNotice = Extract<DueNotice, { about: 'schedule' }>
type ApprovalNotice = Exclude<DueNotice, ScheduleNotice>

function ofSchedule({ language, timeZone, name, reason, dueAt, code }: ScheduleNotice) {
  const { subject, why, facts, open } = words[language].schedule
  const due = dueAt === null ? '' : formatTime(language, timeZone, dueAt)
  return { subject: subject(name), text: [why[reason], '', name, facts(due, code ?? '')].join('\n'), open }
}

function forApproval(notice: ApprovalNotice) {
  const { title, text, open } = contentOf(notice)
  const { subject, again } = words[notice.language]
  return { subject: notice.second ? again.subject(title) : subject(title), text, open }
}

function contentOf(notice: ApprovalNotice): { title: string; text: string; open: string } {
  switch (notice.about) {
    case 'message':
      return ofMessage(notice)
    case 'scenario':
      return notice.pattern === null ? ofVersion(notice) : ofPattern(notice, notice.pattern)
    case 'template':
      return ofVersion(notice)
    case 'event_binding': {
      const { why, open, title } = words[notice.language].binding
      const of = title(notice.source, notice.type)
      return { title: of, text: `${why}\n\n${of}`, open }
    }
  }
}

function ofVersion({ about, language, name }: Extract<ApprovalNotice, { about: 'template' | 'scenario' }>) {
  const { why, open, title } = words[language][about]
  return { title: title(name), text: `${why}\n\n${title(name)}`, open }
}

/** A registration, a survey or an rsvp is called what it is to people. */
function ofPattern({ language }: ApprovalNotice, { type, title: localised }: NoticePattern) {
  const { why, open, title } = words[language].pattern
  const called = title[type](localise(language, localised))
  return { title: called, text: `${why[type]}\n\n${called}`, open }
}

function ofMessage(notice: MessageNotice) {
  const { language, kind } = notice
  const { personal, open } = words[language]
  const title = kind === 'personal' ? personal : localise(language, notice.title)
  const text = [
    ...dueOf(notice),
    reasonOf(notice),
    ...scheduleOf(notice),
    '',
    title,
    ...numbersOf(notice),
    ...sendOf(notice),
    ...beginningOf(notice, title),
  ].join('\n')
  return { title, text, open }
}

/** Until when a decision makes a difference, in a second notice. */
function dueOf({ language, timeZone, second, dueAt }: MessageNotice): string[] {
  if (!second || dueAt === null) return []
  return [words[language].again.text(formatTime(language, timeZone, dueAt)), '']
}

type MessageNotice = Extract<DueNotice, { about: 'message' }>

function reasonOf({ language, reason, drift }: MessageNotice): string {
  const { why, drift: ofDrift } = words[language]
  return reason === 'drift' ? ofDrift[drift?.reason ?? 'audience'] : why[reason]
}

function scheduleOf({ language, name }: MessageNotice): string[] {
  return name === null ? [] : [words[language].scheduled(name)]
}

/** How many people it is for; after a drift also what changed, and who changed which group. */
function numbersOf({ language, timeZone, total, drift }: MessageNotice): string[] {
  if (!drift) return total === null ? [] : [words[language].reach(total.toLocaleString(language))]
  const groups = drift.groups.map(({ groupId: id, name, change, actor, actorName, at }) => {
    return { id, name, change, by: actorView(actor, actorName), at }
  })
  return driftLines(language, timeZone, { ...drift, groups })
}

/** Who wrote it, and when it is sent. What a schedule made names that already. */
function sendOf({ language, timeZone, name, author, authorName, sendAt }: MessageNotice): string[] {
  const { author: by, sends } = words[language]
  const at = sendAt && sendAt.getTime() > Date.now() ? formatTime(language, timeZone, sendAt) : null
  return [...(name === null ? [by(actorView(author, authorName).name)] : []), sends(at)]
}

/** How many lines of a text a mail shows, and how long they are, in grapheme clusters. */
const [linesShown, lineLength] = [2, 80]

/** The first lines of what it says beside its title, for an approver who decides what to open first; none of a personal message. */
function beginningOf({ language, kind, content }: MessageNotice, title: string): string[] {
  if (kind === 'personal') return []
  const texts = spokenTexts(content, language).flatMap((text) => text.split('\n'))
  const lines = texts.map((line) => line.trim()).filter((line) => line !== '' && line !== title)
  const first = lines.slice(0, linesShown).map((line) => clip(line, lineLength))
  return first.length === 0 ? [] : ['', ...first]
}
