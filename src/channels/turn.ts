import type { Channel } from '../contract/enums.ts'
import type { Violation } from '../domain/audience/audience.ts'
import type { TextFault, Undeliverable } from '../domain/scenario/deliverable-channels.ts'
import type { CallContent } from './channel.ts'

/** What a turn sends on a channel, or why it cannot be said there. */
export type TurnContent<C extends Channel> = CallContent[C] | Undeliverable

/** A channel cannot carry the content of a turn. */
export function refusedBy(channel: Channel, violations: Violation[]): Undeliverable {
  return { reason: 'content_violation', faults: violations.map((one): TextFault => ({ ...one, channel })) }
}

/** Whether a channel cannot say what was to be compiled for it. */
export function isUndeliverable(compiled: object): compiled is Undeliverable {
  return 'reason' in compiled
}
