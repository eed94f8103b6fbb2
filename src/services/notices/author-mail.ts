import type { Cleared } from '../../channels/cleared.ts'
import type { CompiledEmail } from '../../channels/email/wire.ts'
import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { AuthorNotice, Channel, Locale } from '../../contract/enums.ts'
import type { DueAuthorNotice } from '../../db/queries/notice/author-notice.ts'
import { localise } from '../../domain/content/localise.ts'
import { type Blame, blameOf, missesMost } from '../../domain/message/shortfall.ts'
import { actorView } from '../actor.ts'
import { buttonMail } from './button-mail.ts'
import { formatTime } from './format-time.ts'
import { problemWords } from './problem-words.ts'

const chinese = {
  subject: {
    rejected: (title) => `已退回：${title}`,
    approved: (title) => `已核准：${title}`,
    parked: (title) => `發送暫停：${title}`,
    failed: (title) => `發送失敗：${title}`,
  } satisfies Record<AuthorNotice, (title: string) => string>,
  /** Replaces the title of a personal message, which would reveal its text. */
  personal: '個人訊息',
  rejected: (by: string) => `${by} 退回了這則訊息，原因如下：`,
  /** How to send it after all: of a message that a person wrote in the console, and of others. */
  copy: {
    here: '若仍要發送，請開啟這則訊息，按「複製為草稿」修改，再送審一次。',
    elsewhere: '若仍要發送，請在建立這則訊息的系統複製一份，修改後再次送審。',
  },
  approved: (by: string) => `${by} 核准了這則訊息。`,
  starts: (at: string) => `最早於 ${at} 發送，在此之前仍可取消。`,
  startsNow: '訊息即將開始發送。',
  /** `problem`: a sentence of `problemWords`. */
  parked: (problem: string) => `這則訊息的發送暫停了：${problem}`,
  retried: '系統會自動重試，尚未收到的人之後仍會收到。',
  failed: (people: string, reached: string, isReminder: boolean) =>
    `這則訊息${isReminder ? '的提醒' : ''}已發送完畢，但應收到的 ${people} 人中，只有 ${reached} 人收到。原因：`,
  /** Instead of `failed` and of its subject, where most were reached. */
  missed: (people: string, missed: string, isReminder: boolean) =>
    `這則訊息${isReminder ? '的提醒' : ''}已發送完畢，但應收到的 ${people} 人中，有 ${missed} 人沒有收到。原因：`,
  missedSubject: (title: string) => `部分未送達：${title}`,
  /** Of a start of conversations: all that is said instead of `failed` and `missed`, with the subject. */
  talks: (people: string, failed: string) =>
    `這次開始的對話，${people} 人中有 ${failed} 人的對話失敗。原因：`,
  talksSubject: (title: string) => `對話失敗：${title}`,
  talksNotRepeated: '系統不會再自動開始。請查明原因，或洽系統管理人員；修正後可以只對這些人再次開始。',
  /** Of a version of a scenario, by what generated it. */
  version: {
    kinds: { registration: '報名', survey: '問卷', rsvp: '出席調查', scenario: '情境' },
    rejected: (by: string, what: string) => `${by} 退回了這份${what}，原因如下：`,
    change: (what: string) => `請開啟這份${what}，按「修改」改好後再送審一次。`,
    changeScenario: '請在撰寫這個情境的系統修改，再送審一次。',
    approved: (by: string, what: string) => `${by} 核准了這份${what}。`,
    why: (what: string) =>
      `您撰寫、編輯或送審了這份${what}，因此收到這封信。若不想再收到這類郵件，請至以下頁面設定。`,
    open: (what: string) => `檢視${what}`,
  },
  whyTalks: '您開始了這些對話，或撰寫了這個情境，因此收到這封信。若不想再收到這類郵件，請至以下頁面設定。',
  openScenario: '檢視情境',
  reason: (channel: Channel, reason: string, deliveries: string) =>
    `${channelFacts[channel].names['zh-TW'].inSummary}：${deliveries} 則，${reason}`,
  blames: {
    address: '收件地址不存在',
    full: '收件信箱已滿',
    content: '內容不被服務商接受',
    provider: '服務商拒絕',
    scenario: '對話在某個步驟無法繼續',
  } satisfies Record<Blame, string>,
  notRepeated: '系統不會再自動發送。請查明原因，或洽系統管理人員。',
  /** The same where most were reached: a copy to all would tell them twice. */
  missedNotRepeated:
    '系統不會再自動發送。請查明原因，或洽系統管理人員；仍要通知這些人時，請另外建立一則只給他們的訊息，以免其他人重複收到。',
  why: '您撰寫、編輯或送審了這則訊息，因此收到這封信。若不想再收到這類郵件，請至以下頁面設定。',
  whyApprover: '您核准了這則訊息，因此收到這封信。若不想再收到這類郵件，請至以下頁面設定。',
  open: '檢視訊息',
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    subject: {
      rejected: (title) => `Rejected: ${title}`,
      approved: (title) => `Approved: ${title}`,
      parked: (title) => `Send paused: ${title}`,
      failed: (title) => `Send failed: ${title}`,
    },
    personal: 'a personal message',
    rejected: (by) => `${by} rejected this message, with this reason:`,
    copy: {
      here: 'To send it after all, open the message, press “Copy as a draft”, change the copy and submit that.',
      elsewhere:
        'To send it after all, copy it in the system that made it, change the copy, and submit that.',
    },
    approved: (by) => `${by} approved this message.`,
    starts: (at) => `It starts at ${at} at the earliest. Until then it can be cancelled.`,
    startsNow: 'The send starts now.',
    parked: (problem) => `The send of this message is paused: ${problem}`,
    retried: 'It is retried automatically. People who have not received it yet still will.',
    failed: (people, reached, isReminder) =>
      `The send of this message${isReminder ? '’s reminder' : ''} has ended and reached ${reached} of ${people} people. Why:`,
    missed: (people, missed, isReminder) =>
      `The send of this message${isReminder ? '’s reminder' : ''} has ended and did not reach ${missed} of ${people} people. Why:`,
    missedSubject: (title) => `Not everyone reached: ${title}`,
    talks: (people, failed) =>
      `The conversations of this start failed with ${failed} of ${people} people. Why:`,
    talksSubject: (title) => `Conversations failed: ${title}`,
    talksNotRepeated:
      'They are not started again automatically. Find the cause, or ask the operators of this system; then start them ' +
      'with these people alone.',
    version: {
      kinds: { registration: 'registration', survey: 'survey', rsvp: 'RSVP', scenario: 'scenario' },
      rejected: (by, what) => `${by} rejected this ${what}, with this reason:`,
      change: (what) => `Open the ${what}, press “Change”, and submit it again.`,
      changeScenario: 'Change the scenario in the system that wrote it, and ask for its activation again.',
      approved: (by, what) => `${by} approved this ${what}.`,
      why: (what) =>
        `You receive this mail because you wrote, edited or submitted the ${what}. You can turn these mails off on the ` +
        'page below.',
      open: (what) => `Open the ${what}`,
    },
    whyTalks:
      'You receive this mail because you started the conversations, or wrote the scenario. You can turn these mails off ' +
      'on the page below.',
    openScenario: 'Open the scenario',
    reason: (channel, reason, deliveries) =>
      `${channelFacts[channel].names.en.inSummary}: ${deliveries}, ${reason}`,
    blames: {
      address: 'the addresses do not exist',
      full: 'the mailboxes are full',
      content: 'the provider did not accept the content',
      provider: 'rejected by the provider',
      scenario: 'the conversation could not go on at a node',
    },
    notRepeated: 'It is not resent automatically. Find the cause, or ask the operators of this system.',
    missedNotRepeated:
      'It is not resent automatically. Find the cause, or ask the operators of this system; to tell these people after ' +
      'all, write a message to them alone, so that the others do not receive it twice.',
    why:
      'You receive this mail because you wrote, edited or submitted the message. You can turn these ' +
      'mails off on the page below.',
    whyApprover:
      'You receive this mail because you approved the message. You can turn these mails off on the page ' +
      'below.',
    open: 'Open the message',
  },
}

/** The mail to an author, in their language. `publicUrl`: without a trailing slash. */
export function authorMail(notice: DueAuthorNotice, publicUrl: string): Cleared<CompiledEmail> {
  const { language, kind } = notice
  const { personal, whyApprover } = words[language]
  const { why, open, path } = aboutOf(notice)
  const title = kind === 'personal' ? personal : localise(language, notice.title)
  return buttonMail('author_notice', language, publicUrl, {
    subject: subjectOf(notice)(title),
    unit: notice.unit,
    reason: notice.approved ? whyApprover : why,
    text: [title, '', ...linesOf(notice)].join('\n'),
    button: {
      label: open,
      to: `${publicUrl}${path}`,
    },
  })
}

/** Why its author receives it, and the page of what it is about. */
function aboutOf(notice: DueAuthorNotice): { why: string; open: string; path: string } {
  const { language, messageId, startId, scenarioId, patternId } = notice
  const { why, open, whyTalks, openScenario, version } = words[language]
  if (messageId !== null) return { why, open, path: `/messages/${messageId}` }
  const path = `/approvals/scenario/${scenarioId}`
  if (startId !== null) return { why: whyTalks, open: openScenario, path }
  const what = versionKind(notice)
  return {
    why: version.why(what),
    open: version.open(what),
    path: patternId === null ? path : `/patterns/${patternId}`,
  }
}

/** What a version is to people. */
function versionKind({ language, patternType }: DueAuthorNotice): string {
  return words[language].version.kinds[patternType ?? 'scenario']
}

function subjectOf({ what, language, shortfall, startId }: DueAuthorNotice): (title: string) => string {
  const { subject, missedSubject, talksSubject } = words[language]
  if (startId !== null) return talksSubject
  return what === 'failed' && shortfall && !missesMost(shortfall) ? missedSubject : subject[what]
}

function linesOf(notice: DueAuthorNotice): string[] {
  const { what, language, timeZone, by, byName, reason, startsAt, problem, shortfall, startId, origin } =
    notice
  const { rejected, copy, approved, starts, startsNow, parked, retried } = words[language]
  const whereMade = origin === 'console' ? 'here' : 'elsewhere'
  const who = by === null ? '' : actorView(by, byName).name
  if (notice.messageId === null && startId === null) return versionLines(notice, who)
  switch (what) {
    case 'rejected':
      return [rejected(who), reason ?? '', '', copy[whereMade]]
    case 'approved':
      return [approved(who), startsAt ? starts(formatTime(language, timeZone, startsAt)) : startsNow]
    case 'parked':
      return [parked(problemWords[language][problem ?? 'internal']), retried]
    case 'failed':
      return shortfall ? shortfallLines(language, shortfall, { inTalk: startId !== null, whereMade }) : []
  }
}

/** The decision about a version of a scenario. */
function versionLines(notice: DueAuthorNotice, who: string): string[] {
  const { version } = words[notice.language]
  const kind = versionKind(notice)
  if (notice.what === 'approved') return [version.approved(who, kind)]
  const next = notice.patternId === null ? version.changeScenario : version.change(kind)
  return [version.rejected(who, kind), notice.reason ?? '', '', next]
}

/** Numbers and reasons, with the codes by which operators look them up. */
function shortfallLines(
  language: Locale,
  { people, reached, reminder, reasons }: NonNullable<DueAuthorNotice['shortfall']>,
  of: { inTalk: boolean; whereMade: 'here' | 'elsewhere' },
): string[] {
  const { failed, missed, reason: line, blames, notRepeated, missedNotRepeated, copy } = words[language]
  const { talks, talksNotRepeated } = words[language]
  const count = (n: number) => n.toLocaleString(language)
  const lines = reasons.map(({ channel, reason, deliveries }) =>
    line(channel, `${blames[blameOf(reason, of)]} (${reason})`, count(deliveries)),
  )
  if (of.inTalk) return [talks(count(people), count(people - reached)), '', ...lines, '', talksNotRepeated]
  return missesMost({ people, reached })
    ? [failed(count(people), count(reached), reminder), '', ...lines, '', notRepeated, copy[of.whereMade]]
    : [missed(count(people), count(people - reached), reminder), '', ...lines, '', missedNotRepeated]
}
