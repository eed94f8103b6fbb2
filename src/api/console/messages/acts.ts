import type { MessageDetail } from '../../../contract/messages/detail.ts'
import type { MessageStats } from '../../../contract/messages/list.ts'
import { sumOfCounts } from '../../../domain/message/stats.ts'

/** What people do with a message on its page, besides deciding about it. */
export const acts = [
  'submit',
  'withdraw',
  'resume',
  'retry',
  'skip',
  'pause',
  'cancel',
  'stop',
  'test',
  'copy',
] as const
export type Act = (typeof acts)[number]

/** What the reader may do now, in the order in which it is offered. `copies`: whether they may create messages of the unit. */
export function actsFor({ allowed, content }: MessageDetail, copies: boolean): Act[] {
  const readable = content !== null
  const may: Record<Act, boolean> = {
    submit: allowed.submit.allowed,
    withdraw: allowed.withdraw.allowed,
    resume: allowed.resume.allowed,
    retry: allowed.retry.allowed,
    skip: allowed.retry.allowed,
    pause: allowed.pause.allowed,
    cancel: allowed.cancel.allowed,
    stop: allowed.stop.allowed,
    test: readable,
    copy: readable && copies,
  }
  return acts.filter((act) => may[act])
}

/** Whether the deliveries of a wave are written. */
export function hasBegun(stats: MessageStats): boolean {
  return sumOfCounts(stats.skipped) + stats.sent + stats.failed + stats.unknown + stats.pending > 0
}

/** Whom an act is about: those who have received nothing yet, or before the send everybody. */
export function peopleLeft({ stats, recipients, reminder, state }: MessageDetail): number {
  const wave = state === 'sent' ? reminder?.stats : stats
  if (!wave || !hasBegun(wave)) return recipients?.total ?? 0
  return wave.people?.pending ?? wave.pending
}
