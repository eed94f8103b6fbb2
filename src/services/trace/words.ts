import { channelFacts } from '../../channels/facts/by-channel.ts'
import type { Channel, DeliveryState, HandoffEnd, TurnChannel, TurnWay } from '../../contract/enums.ts'
import type { TraceCode } from '../../contract/trace.ts'
import type { CallState } from '../../db/tables.ts'
import { stateWords } from '../../domain/message/state-words.ts'

/** Text that the sentences of a trace name: of a button, an edge or a fault, in both languages. */
export type Bilingual = { 'zh-TW': string; en: string }

/** What a call to a provider is told by: its place among those of its batch, how often it was tried, and its names there. */
export type CallFacts = {
  channel: Channel
  place: { nth: number; of: number }
  tries: number
  state: CallState
  code: string | null
  requestId: string | null
  /** null: it is told without its names. */
  retryKey: string | null
}

/** A try of a turn or of a reply. */
export type TryFacts = {
  name: Bilingual
  channel: TurnChannel | null
  by: TurnWay | null
  tries: number
  requestId: string | null
  retryKey: string | null
}

type Outcome = { channel: Channel; state: DeliveryState; reason: string | null; parked: string | null }
type Move = {
  action: string
  by: string
  state: string | null
  reminder: boolean
  reason: string | null
}

const at = (moment: Date) => moment.toISOString()
const listOf = (facts: readonly string[], mark: string) => facts.join(mark)

const waysZh: Record<TurnWay, string> = { push: '推播', reply: '回覆', mail: '郵件', page: '網頁' }
const channelZh = (channel: Channel) => channelFacts[channel].names['zh-TW'].inSummary
const actionsZh: Record<string, string> = {
  create: '建立',
  edit: '修改',
  copy: '複製',
  submit: '送審',
  auto_check: '自動檢查未通過',
  name_organisers: '指定承辦人',
  approve: '核准',
  reject: '退回',
  withdraw: '撤回修改',
  start: '開始發送',
  drift: '因內容或對象改變而退回審核',
  pause: '暫停',
  resume: '繼續',
  retry: '重試',
  cancel: '取消',
  stop: '停止發送',
  expire: '逾期',
  finish: '發送結束',
}
const statesZh: Record<string, string> = stateWords['zh-TW']
const runStatesZh: Record<string, string> = {
  running: '進行中',
  waiting: '等待中',
  done: '已完成',
  cancelled: '已取消',
  failed: '失敗',
}
const skipsZh: Record<string, string> = {
  noConsent: '沒有這個類別需要的同意，或已撤回同意',
  noAddress: '這個管道沒有綁定地址',
  preferenceOff: '本人已關閉這個類別，或取消訂閱主題',
  blocked: '本人已封鎖帳號，或寄到該地址的郵件被退回或檢舉',
  doNotRemind: '本人表示不需要提醒',
  answered: '本人已回答，只提醒尚未回答的人',
  frequency: '已達這個類別的次數上限（含即將發送的訊息）',
  cancelled: '訊息已取消',
  stopped: '發送已停止',
  expired: '訊息已逾期',
  parked: '發送暫停後，略過了其餘收件人',
  fallback: '這個管道不接受此收件人，改由下一個管道發送',
  over: '對話已結束',
  late: '因供應商或用量而延後，超過可以晚到的時間',
}
const skipsEn: Record<string, string> = {
  noConsent: 'the consent that the category requires was missing or withdrawn',
  noAddress: 'no address was bound on this channel',
  preferenceOff: 'the person had turned off the category or unsubscribed from the topic',
  blocked: 'the person had blocked the account, or mail to the address had bounced or drawn a complaint',
  doNotRemind: 'the person had asked not to be reminded',
  answered: 'the person had answered the message, and only the others are reminded',
  frequency: "the category's frequency cap was reached, pending messages included",
  cancelled: 'the message was cancelled',
  stopped: 'the send was stopped',
  expired: 'the message had expired',
  parked: 'the remaining recipients of a parked send were skipped',
  fallback: 'the channel rejected the recipient, who fell back to the next channel',
  over: 'its run had ended',
  late: 'the provider or the quota held it back for longer than it may be late',
}
const skipZh = (reason: string | null) => skipsZh[reason ?? ''] ?? `原因是 ${reason ?? '不明'}`
const skipEn = (reason: string | null) => skipsEn[reason ?? ''] ?? `the reason is ${reason ?? 'unknown'}`

const callZh: Record<CallState, string> = {
  open: '尚無回應',
  accepted: '已接受',
  refused: '被拒絕',
  unknown: '結果不明',
}
const callEn: Record<CallState, string> = {
  open: 'no response yet',
  accepted: 'accepted',
  refused: 'rejected',
  unknown: 'outcome unknown',
}

/** The sentences of a trace by their code, in Chinese. */
const zhTW = {
  moved: ({ action, by, state, reminder, reason }: Move) =>
    `${by}：${actionsZh[action] ?? action}${reminder ? '（提醒）' : state ? `，訊息${statesZh[state] ?? state}` : ''}${reason ? `（${reason}）` : ''}`,
  closed_unsent: () => '訊息在發送前就結束了。',
  not_named_yet: () => '尚未發送。目前的發送對象不包括此人。',
  will_receive: () => '尚未發送。以目前的資料，此人會收到。',
  will_not_receive: (reason: string) => `尚未發送。以目前的資料，此人不會收到：${skipZh(reason)}。`,
  reminder_due: (due: Date) => `提醒將於 ${at(due)} 發送給第一次有收到且未婉拒的人。`,
  purged: () => '這次發送的明細已超過保存期限，只留下人數。',
  not_in_reminder: (expected: number) => `提醒開始時有 ${expected} 筆，沒有此人。`,
  not_in_send: (expected: number, named: boolean) =>
    `開始發送時有 ${expected} 筆，沒有此人。目前的發送對象${named ? '包括' : '也不包括'}此人。`,
  in_send: () => '發送對象包括此人。',
  in_reminder: () => '提醒的對象包括此人。',
  skipped: (channel: Channel, reason: string | null) =>
    `未透過${channelZh(channel)}發送：${skipZh(reason)}。`,
  in_batch: (channel: Channel, batch: number, size: number) =>
    `分到${channelZh(channel)}第 ${batch} 批，共 ${size} 人。`,
  called: ({ channel, place, tries, state, code, requestId, retryKey }: CallFacts) =>
    `${place.of > 1 ? `第 ${place.nth} 次（共 ${place.of} 次）` : ''}呼叫${channelZh(channel)}供應商，試了 ${tries} 次：${
      state === 'open' && code ? '尚未被接受，會再試' : callZh[state]
    }${factsZh(retryKey, requestId, code)}。`,
  outcome: ({ channel, state, reason, parked }: Outcome) => {
    const why = reason ? `（${reason}）` : ''
    const name = channelZh(channel)
    const held = parked ? `發送已暫停：${parked}。` : ''
    return {
      pending: `${name}等待發送中。${held}`,
      sent: `已透過${name}發送。`,
      failed: `透過${name}發送失敗${why}。`,
      skipped: `未透過${name}發送：${skipZh(reason)}。`,
      unknown: `不確定是否已透過${name}送達${why}。`,
    }[state]
  },
  declined_reminder: () => '本人表示不需要提醒。',
  answered: (option: string, label: string | undefined, channel: Channel | null) =>
    `本人${channel ? `透過${channelZh(channel)}` : ''}回答了${label === undefined ? ` ${option}` : `「${label}」（${option}）`}。`,
  run_started: (test: boolean, version: number, scenario: string, by: string) =>
    `${by}開始了「${scenario}」第 ${version} 版的${test ? '測試' : '對話'}。`,
  entered: (node: string) => `進入 ${node}。`,
  left: (node: string, edge: Bilingual | null, why: string | null, to: string, faults: Bilingual) =>
    `${edge ? `經${edge['zh-TW']}` : ''}離開 ${node}${why ? `（${why}）` : ''}，前往 ${to}。${faults['zh-TW']}`,
  turn_says: (number: number, says: string) => `第 ${number} 次發言說 ${says}。`,
  tried: ({ name, channel, by, tries, requestId, retryKey }: TryFacts) =>
    channel === 'page'
      ? `${name['zh-TW']}顯示在本人作答的網頁上。`
      : `${name['zh-TW']}透過${channel ? channelZh(channel) : '其他管道'}送到供應商${
          by === null ? '' : `（${waysZh[by]}）`
        }，試了 ${tries} 次${factsZh(retryKey, requestId)}。`,
  try_pending: (name: Bilingual, next: Date | null) =>
    `${name['zh-TW']}等待發送中${next ? `，下一次將於 ${at(next)} 再試` : ''}。`,
  try_sent: (name: Bilingual) => `${name['zh-TW']}已發送。`,
  try_failed: (name: Bilingual, why: string | null) => `${name['zh-TW']}發送失敗${why ? `（${why}）` : ''}。`,
  try_skipped: (name: Bilingual, reason: string | null) => `${name['zh-TW']}未發送：${skipZh(reason)}。`,
  try_unknown: (name: Bilingual, why: string | null) =>
    `${name['zh-TW']}不確定是否送達${why ? `（${why}）` : ''}。`,
  looked_up: (node: string) => `已送出 ${node} 的查詢。`,
  lookup_ended: (node: string, outcome: string) => `${node} 的查詢結束：${outcome}。`,
  run_answered: (node: string, optionId: string | null) => `本人回答了 ${node}：${optionId ?? '一段文字'}。`,
  run_stands: (state: string, node: string, until: Date | null, problem: string | null) =>
    `對話目前${runStatesZh[state] ?? state}，在 ${node}${until ? `，最晚到 ${at(until)}` : ''}。${problem ? `問題：${problem}。` : ''}`,
  run_ended: (node: string, state: string, why: string | null, purged: boolean, faults: Bilingual) =>
    `對話在 ${node} 結束：${runStatesZh[state] ?? state}${why ? `（${why}）` : ''}。${faults['zh-TW']}${
      purged ? '當事人、路徑與回答已超過保存期限。' : ''
    }`,
  handoff_opened: (id: string, test: boolean, node: string | null) =>
    `${node ?? '助理'} 開啟了${test ? '測試的' : ''}轉交 ${id}。`,
  handoff_open: (id: string) => `轉交 ${id} 尚未結束。`,
  handoff_closed: (id: string, reason: HandoffEnd, by: string | null) =>
    `轉交 ${id} ${handoffEndsZh[reason]}${by ? `（${by}）` : ''}。`,
  reply_stored: (number: number, by: string | null) => `${by ?? '單位成員'} 寫了第 ${number} 則回覆。`,
} satisfies Record<TraceCode, (...values: never[]) => string>

const handoffEndsZh: Record<HandoffEnd, string> = {
  closed: '由單位結束',
  assistant: '由助理收回',
  silence: '一天沒有訊息而結束',
  timeout: '因步驟的時限到了而結束',
  run_ended: '因對話結束而結束',
  unbound: '因聊天地址不再屬於此人而結束',
  erased: '因此人的資料已刪除而結束',
}

function factsZh(retryKey: string | null, requestId: string | null, code: string | null = null): string {
  const facts = [
    ...(retryKey ? [`重試識別碼 ${retryKey}`] : []),
    ...(requestId ? [`供應商的請求編號 ${requestId}`] : []),
    ...(code ? [`代碼 ${code}`] : []),
  ]
  return facts.length > 0 ? `（${listOf(facts, '，')}）` : ''
}

function factsEn(retryKey: string | null, requestId: string | null, code: string | null = null): string {
  const facts = [
    ...(retryKey ? [`retry key ${retryKey}`] : []),
    ...(requestId ? [`the provider's request id ${requestId}`] : []),
    ...(code ? [`code ${code}`] : []),
  ]
  return facts.length > 0 ? ` (${listOf(facts, ', ')})` : ''
}

/** The same in English. */
const en: typeof zhTW = {
  moved: ({ action, by, state, reminder, reason }) =>
    `${action} by ${by}${reminder ? ' (the reminder)' : state ? `, the message is ${state}` : ''}${reason ? `: ${reason}` : ''}`,
  closed_unsent: () => 'The message closed before it was sent.',
  not_named_yet: () => 'Not sent yet. As of now, the audience does not include this person.',
  will_receive: () => 'Not sent yet. As of now, this person will receive it.',
  will_not_receive: (reason) =>
    `Not sent yet. As of now, this person will not receive it: ${skipEn(reason)}.`,
  reminder_due: (due) =>
    `A reminder is due at ${at(due)}, for recipients of the first send who have not declined it.`,
  purged: () => 'The deliveries of this send have been purged; only counts remain.',
  not_in_reminder: (expected) =>
    `The reminder had ${expected} deliveries when it started; none was for this person.`,
  not_in_send: (expected, named) =>
    `The send had ${expected} deliveries when it started; none was for this person. ${
      named
        ? 'As of now, the audience includes them.'
        : 'As of now, the audience does not include them either.'
    }`,
  in_send: () => 'The audience included this person.',
  in_reminder: () => 'The reminder included this person.',
  skipped: (channel, reason) => `Not sent by ${channel}: ${skipEn(reason)}.`,
  in_batch: (channel, batch, size) =>
    `Assigned to ${channel} batch ${batch} with ${size} member${size === 1 ? '' : 's'}.`,
  called: ({ channel, place, tries, state, code, requestId, retryKey }) => {
    const which = place.of > 1 ? `Call ${place.nth} of ${place.of}` : 'Call'
    const status = state === 'open' && code ? 'not accepted yet, and tried again' : callEn[state]
    return `${which} to the ${channel} provider, ${triesEn(tries)}: ${status}${factsEn(retryKey, requestId, code)}.`
  },
  outcome: ({ channel, state, reason, parked }) => {
    const why = reason ? ` (${reason})` : ''
    const held = parked ? ` The send is parked: ${parked}.` : ''
    return {
      pending: `Pending on ${channel}.${held}`,
      sent: `Sent by ${channel}.`,
      failed: `Failed on ${channel}${why}.`,
      skipped: `Not sent by ${channel}: ${skipEn(reason)}.`,
      unknown: `Unknown: it may or may not have arrived by ${channel}${why}.`,
    }[state]
  },
  declined_reminder: () => 'The person asked not to be reminded.',
  answered: (option, label, channel) =>
    `The person answered ${label === undefined ? option : `“${label}” (${option})`} by ${channel}.`,
  run_started: (test, version, scenario, by) =>
    `${test ? 'A test' : 'A run'} of version ${version} of “${scenario}” was started by ${by}.`,
  entered: (node) => `Entered ${node}.`,
  left: (node, edge, why, to, faults) =>
    `Left ${node}${edge ? ` by ${edge.en}` : ''}${why ? ` (${why})` : ''} for ${to}.${faults.en}`,
  turn_says: (number, says) => `Turn ${number} says ${says}.`,
  tried: ({ name, channel, by, tries, requestId, retryKey }) => {
    if (channel === 'page') return `${name.en} stood on the page on which the person answered.`
    const how = `${channel ?? 'another channel'}${by ? `, as a ${by}` : ''}, ${triesEn(tries)}`
    return `${name.en} to the provider by ${how}${factsEn(retryKey, requestId)}.`
  },
  try_pending: (name, next) => `${name.en} is pending${next ? `, the next try is at ${at(next)}` : ''}.`,
  try_sent: (name) => `${name.en} was sent.`,
  try_failed: (name, why) => `${name.en} failed${why ? ` (${why})` : ''}.`,
  try_skipped: (name, reason) => `${name.en} was not sent: ${skipEn(reason)}.`,
  try_unknown: (name, why) =>
    `${name.en} is unknown: it may or may not have arrived${why ? ` (${why})` : ''}.`,
  looked_up: (node) => `The Lookup of ${node} was sent.`,
  lookup_ended: (node, outcome) => `The Lookup of ${node} ended: ${outcome}.`,
  run_answered: (node, optionId) => `The person answered ${node}: ${optionId ?? 'a text'}.`,
  run_stands: (state, node, until, problem) =>
    `The run is ${state} at ${node}${until ? `, until ${at(until)} at the latest` : ''}.${problem ? ` Problem: ${problem}.` : ''}`,
  run_ended: (node, state, why, purged, faults) =>
    `The run ended at ${node}: ${state}${why ? ` (${why})` : ''}.${faults.en}${
      purged ? ' Its person, path and answers are past retention.' : ''
    }`,
  handoff_opened: (id, test, node) =>
    `Handoff ${id}${test ? ', a test,' : ''} was opened by ${node ?? 'the assistant'}.`,
  handoff_open: (id) => `Handoff ${id} is open.`,
  handoff_closed: (id, reason, by) =>
    `Handoff ${id} was closed ${handoffEndsEn[reason]}${by ? ` (${by})` : ''}.`,
  reply_stored: (number, by) => `Reply ${number} was stored by ${by ?? 'a member of the unit'}.`,
}

const handoffEndsEn: Record<HandoffEnd, string> = {
  closed: 'by its unit',
  assistant: 'because the assistant took it back',
  silence: 'after a day without a message',
  timeout: 'because the time of its node was over',
  run_ended: 'because its run ended',
  unbound: 'because its chat address was no longer bound to the person',
  erased: 'because the person was erased',
}

const triesEn = (tries: number) => (tries === 1 ? '1 try' : `${tries} tries`)

type Words = typeof zhTW

/**
 * One entry of a trace, as a sentence in both languages. `at` is null for the current state; `brief`: the sentence without
 * the names of a call, if it has some.
 */
export type TraceEntry = { at: Date | null; code: TraceCode; text: Bilingual; brief?: Bilingual }

/** An entry by its code and the values of its sentence. */
export function entry<Code extends TraceCode>(
  at: Date | null,
  code: Code,
  ...values: Parameters<Words[Code]>
): TraceEntry {
  const say = (facts: readonly unknown[]) => {
    const of = (words: Words) => (words[code] as (...facts: unknown[]) => string)(...facts)
    return { 'zh-TW': of(zhTW), en: of(en) }
  }
  const [first] = values as readonly unknown[]
  const isCall = typeof first === 'object' && first !== null && 'retryKey' in first
  return {
    ...{ at, code, text: say(values) },
    ...(isCall && { brief: say([{ ...first, retryKey: null, requestId: null }]) }),
  }
}

/** Entries about the current state come last. */
export function timeOf({ at: moment }: TraceEntry): number {
  return moment?.getTime() ?? Number.MAX_SAFE_INTEGER
}
