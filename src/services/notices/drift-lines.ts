import { byChannel } from '../../channels/facts/by-channel.ts'
import type { GroupChangeKind, Locale } from '../../contract/enums.ts'
import type { MessageDetail } from '../../contract/messages/detail.ts'
import { channelEntries } from '../../domain/lib/channel-entries.ts'

const chinese = {
  reachBefore: (people: string, before: string, since: string) =>
    `收件人數：${people}（${since} 時為 ${before}）`,
  channels: byChannel(({ names }) => names['zh-TW'].title),
  change: (channel: string, added: string, removed: string) =>
    `${channel}：新增 ${added} 人，減少 ${removed} 人`,
  about: (number: string) => `約 ${number}`,
  group: {
    members: (name, by, at) => `群組「${name}」的成員：${by} 自 ${at} 起有更動`,
    query: (name, by, at) => `群組「${name}」的篩選條件：${by} 自 ${at} 起有更動`,
  } satisfies Record<GroupChangeKind, (name: string, by: string, at: string) => string>,
}

const words: Record<Locale, typeof chinese> = {
  'zh-TW': chinese,
  en: {
    reachBefore: (people, before, since) => `Recipients: ${people} (${before} as of ${since})`,
    channels: byChannel(({ names }) => names.en.title),
    change: (channel, added, removed) => `${channel}: ${added} added, ${removed} removed`,
    about: (number) => `about ${number}`,
    group: {
      members: (name, by, at) => `Members of the group “${name}”: changed by ${by} since ${at}`,
      query: (name, by, at) => `Query of the group “${name}”: changed by ${by} since ${at}`,
    },
  },
}

/**
 * What changed since a message was approved, for its approvers: how many people, by channel, and who changed which group;
 * in the unit's time zone.
 */
export function driftLines(
  language: Locale,
  timeZone: string,
  drift: Omit<NonNullable<MessageDetail['drift']>, 'reason'>,
): string[] {
  const { reachBefore, channels, change, about, group } = words[language]
  const number = (count: number) => count.toLocaleString(language)
  const moment = (at: string) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      new Date(at),
    )
  const amount = (count: number) => (drift.exact || count === 0 ? number(count) : about(number(count)))
  const { approved, current } = drift.recipients
  return [
    reachBefore(number(current), number(approved), moment(drift.since)),
    ...channelEntries(drift.byChannel)
      .filter(([, { added, removed }]) => added + removed > 0)
      .map(([channel, { added, removed }]) => change(channels[channel], amount(added), amount(removed))),
    ...drift.groups.map(({ change: kind, name, by, at }) => group[kind](name, by.name, moment(at))),
  ]
}
