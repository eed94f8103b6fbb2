import { htmlPage } from '../../channels/email/html-page.ts'
import type { MailDocument } from '../../channels/email/mail-document.ts'
import { textPage } from '../../channels/email/text-page.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Locale } from '../../contract/enums.ts'
import type { DueNotice } from '../../db/queries/message/notice.ts'
import type { NoticeReason } from '../../db/tables.ts'
import { localise } from '../../domain/localise.ts'

type Words = {
  subject: (title: string) => string
  why: Record<NoticeReason, string>
  /** The binding of (source, type), which waits for approval. */
  binding: { title: (source: string, type: string) => string; why: string; open: string }
  /** Replaces the title of a personal message, which would reveal its text. */
  personal: string
  reach: (people: string) => string
  open: string
}

const words: Record<Locale, Words> = {
  'zh-TW': {
    subject: (title) => `待核准：${title}`,
    why: {
      submitted: '有一則訊息待您核准。',
      check_failed: '有一則訊息未通過自動檢查，請您審核。',
      quota: '有一則訊息因配額不足，未能自動核准，請您審核。',
      small: '有一則訊息的收件人不到 5 人，須由您核准。',
      drift: '有一則已核准的訊息因收件人數增加或配額不足而退回，請您重新審核。',
    },
    binding: {
      title: (source, type) => `${source} 的事件 ${type}`,
      why: '有一項事件綁定的變更待您核准。核准前，現行版本仍然有效。',
      open: '前往審核',
    },
    personal: '個人訊息',
    reach: (people) => `收件人數：${people}`,
    open: '前往審核',
  },
  en: {
    subject: (title) => `Approval needed: ${title}`,
    why: {
      submitted: 'A message is waiting for your approval.',
      check_failed: 'A message did not pass the automatic check and needs your decision.',
      quota: 'A message exceeds the quota and needs your decision.',
      small: 'A message to fewer than 5 people needs your approval.',
      drift:
        'An approved message needs another review: its audience has grown, or the quota no longer covers it.',
    },
    binding: {
      title: (source, type) => `events ${type} of ${source}`,
      why: 'A change of an event binding is waiting for your approval. Until then the version in force stays.',
      open: 'Review the binding',
    },
    personal: 'a personal message',
    reach: (people) => `Recipients: ${people}`,
    open: 'Review the message',
  },
}

/**
 * The mail to an approver, in their language. It contains counts, never recipients. `publicUrl`: without a trailing
 * slash.
 */
export function noticeMail(notice: DueNotice, publicUrl: string): CompiledEmail {
  const { language } = notice
  const { title, text, choice } = notice.about === 'message' ? ofMessage(notice) : ofBinding(notice)
  const letter: MailDocument = {
    subject: words[language].subject(title),
    unit: notice.unit,
    category: localise(language, notice.category),
    blocks: [
      {
        kind: 'choices',
        text,
        choices: [{ label: choice.label, to: `${publicUrl}${choice.path}` }],
        style: 'buttons',
      },
    ],
    footerLinks: [],
  }
  return {
    subject: letter.subject,
    html: htmlPage(language, letter).pieces,
    text: textPage(language, letter),
  }
}

function ofMessage(notice: Extract<DueNotice, { about: 'message' }>) {
  const { language, reason, kind, total, objectId } = notice
  const { why, personal, reach, open } = words[language]
  const title = kind === 'personal' ? personal : localise(language, notice.title)
  const people = total === null ? '' : `\n${reach(total.toLocaleString(language))}`
  const choice = { label: open, path: `/v1/messages/${objectId}` }
  return { title, text: `${why[reason]}\n\n${title}${people}`, choice }
}

function ofBinding({ language, source, type, objectId }: Extract<DueNotice, { about: 'event_binding' }>) {
  const { why, open, ...binding } = words[language].binding
  const title = binding.title(source, type)
  const choice = { label: open, path: `/v1/event-bindings/${objectId}` }
  return { title, text: `${why}\n\n${title}`, choice }
}
