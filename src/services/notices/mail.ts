import { htmlPage } from '../../channels/email/html-page.ts'
import type { MailDocument } from '../../channels/email/mail-document.ts'
import { textPage } from '../../channels/email/text-page.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import type { Channel, DriftReason, GroupChangeKind, Locale } from '../../contract/enums.ts'
import type { DueNotice } from '../../db/queries/message/notice.ts'
import type { NoticeReason } from '../../db/tables.ts'
import { channelEntries } from '../../domain/channel-entries.ts'
import { localise } from '../../domain/localise.ts'
import { actorView } from '../actor.ts'

type Words = {
  subject: (title: string) => string
  why: Record<Exclude<NoticeReason, 'drift'>, string>
  drift: Record<DriftReason, string>
  /** The binding of (source, type), which waits for approval. */
  binding: { title: (source: string, type: string) => string; why: string; open: string }
  /** Replaces the title of a personal message, which would reveal its text. */
  personal: string
  reach: (people: string) => string
  reachBefore: (people: string, before: string, since: string) => string
  channels: Record<Channel, string>
  change: (channel: string, added: string, gone: string) => string
  about: (number: string) => string
  group: Record<GroupChangeKind, (name: string, by: string, at: string) => string>
  open: string
  reason: (unit: string, category: string) => string
}

const words: Record<Locale, Words> = {
  'zh-TW': {
    subject: (title) => `待核准：${title}`,
    why: {
      submitted: '有一則訊息待您核准。',
      check_failed: '有一則訊息未通過自動檢查，請您審核。',
      quota: '有一則訊息因配額不足，未能自動核准，請您審核。',
      small: '有一則訊息的收件人不到 5 人，須由您核准。',
    },
    drift: {
      audience: '有一則訊息在核准後收件人有變動，已退回，請您重新審核。',
      limit: '有一則自動核准的訊息，收件人數已超過自動核准的上限，請您審核。',
      quota: '有一則已核准的訊息因配額不足而退回，請您重新審核。',
      nobody: '有一則已核准的訊息到了發送時間仍沒有收件人，已退回，請您重新審核。',
    },
    binding: {
      title: (source, type) => `${source} 的事件 ${type}`,
      why: '有一項事件綁定的變更待您核准。核准前，現行版本仍然有效。',
      open: '前往審核',
    },
    personal: '個人訊息',
    reach: (people) => `收件人數：${people}`,
    reachBefore: (people, before, since) => `收件人數：${people}（${since} 時為 ${before}）`,
    channels: { chat: '聊天', email: '電子郵件' },
    change: (channel, added, gone) => `${channel}：新增 ${added} 人，減少 ${gone} 人`,
    about: (number) => `約 ${number}`,
    group: {
      members: (name, by, at) => `群組「${name}」的成員：${by} 自 ${at} 起有更動`,
      query: (name, by, at) => `群組「${name}」的篩選條件：${by} 自 ${at} 起有更動`,
    },
    open: '前往審核',
    reason: (unit, category) => `您是「${unit}」的核准人，因此收到這封信。通知類別：${category}。`,
  },
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
      nobody: 'An approved message had no recipients at the time of the send. It needs another review.',
    },
    binding: {
      title: (source, type) => `events ${type} of ${source}`,
      why: 'A change of an event binding is waiting for your approval. Until then the version in force stays.',
      open: 'Review the binding',
    },
    personal: 'a personal message',
    reach: (people) => `Recipients: ${people}`,
    reachBefore: (people, before, since) => `Recipients: ${people} (${before} as of ${since})`,
    channels: { chat: 'Chat', email: 'E-mail' },
    change: (channel, added, gone) => `${channel}: ${added} new, ${gone} gone`,
    about: (number) => `about ${number}`,
    group: {
      members: (name, by, at) => `Members of the group “${name}”: changed by ${by} since ${at}`,
      query: (name, by, at) => `Query of the group “${name}”: changed by ${by} since ${at}`,
    },
    open: 'Review the message',
    reason: (unit, category) =>
      `You receive this because you approve messages of ${unit}. Category: ${category}.`,
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
    reason: words[language].reason(notice.unit, localise(language, notice.category)),
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
    text: textPage(letter),
  }
}

function ofMessage(notice: MessageNotice) {
  const { language, kind, objectId } = notice
  const { personal, open } = words[language]
  const title = kind === 'personal' ? personal : localise(language, notice.title)
  const choice = { label: open, path: `/v1/messages/${objectId}` }
  return { title, text: [reasonOf(notice), '', title, ...numbersOf(notice)].join('\n'), choice }
}

function ofBinding({ language, source, type, objectId }: Extract<DueNotice, { about: 'event_binding' }>) {
  const { why, open, ...binding } = words[language].binding
  const title = binding.title(source, type)
  const choice = { label: open, path: `/v1/event-bindings/${objectId}` }
  return { title, text: `${why}\n\n${title}`, choice }
}

type MessageNotice = Extract<DueNotice, { about: 'message' }>

function reasonOf({ language, reason, drift }: MessageNotice): string {
  const { why, drift: ofDrift } = words[language]
  return reason === 'drift' ? ofDrift[drift?.reason ?? 'audience'] : why[reason]
}

/** How many people it is for; after a drift also what changed, and who changed which group. */
function numbersOf({ language, timeZone, total, drift }: MessageNotice): string[] {
  const { reach, reachBefore, channels, change, about, group } = words[language]
  const number = (count: number) => count.toLocaleString(language)
  if (!drift) return total === null ? [] : [reach(number(total))]
  const moment = (at: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      new Date(at),
    )
  const shown = (count: number) => (drift.exact || count === 0 ? number(count) : about(number(count)))
  const { before, now } = drift.recipients
  return [
    reachBefore(number(now), number(before), moment(drift.since)),
    ...channelEntries(drift.byChannel)
      .filter(([, { new: added, gone }]) => added + gone > 0)
      .map(([channel, { new: added, gone }]) => change(channels[channel], shown(added), shown(gone))),
    ...drift.groups.map(({ what, name, actor, actorName, at }) =>
      group[what](name, actorView(actor, actorName).name, moment(at)),
    ),
  ]
}
