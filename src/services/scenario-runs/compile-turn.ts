import type { TurnToCompile } from '../../channels/content.ts'
import type { ChannelRegistry } from '../../channels/index.ts'
import { isUndeliverable, type TurnContent } from '../../channels/turn.ts'
import { channels as allChannels, type Channel } from '../../contract/enums.ts'
import type { TurnContext } from '../../db/queries/scenario-run/turn.ts'
import type { DeliverableChannels } from '../../domain/scenario/deliverable-channels.ts'
import { brokenBy } from '../messages/broken-by.ts'

/** The channels of this installation. */
export function configured(channels: ChannelRegistry): Channel[] {
  return allChannels.filter((name) => channels[name] !== undefined)
}

/** Judges by which of these channels what is said at once can be carried, as the send of a turn does. */
export function channelsAmong(
  services: { channels: ChannelRegistry },
  speaking: TurnContext,
  plan: readonly Channel[],
): DeliverableChannels {
  const channels = plan.filter((name) => services.channels[name] !== undefined)
  return (says) => {
    const broken = brokenBy(says.flatMap(({ messages }) => messages))
    if (broken.length > 0) return { reason: 'content_violation', faults: broken }
    const turn = { ...speaking, says, id: '', runId: '', lastNode: says.at(-1)!.node }
    const compiled = channels.map((name) => compileTurn(services, turn, name))
    const carriers = channels.filter((_, at) => !isUndeliverable(compiled[at]!))
    const refused = compiled.filter(isUndeliverable)
    const last = refused.at(-1)
    if (carriers.length > 0 || !last) return carriers
    return { reason: last.reason, faults: refused.flatMap(({ faults }) => faults) }
  }
}

/** Compiles what a turn says on a channel, or tells why it cannot be said there. */
export function compileTurn(
  { channels }: { channels: ChannelRegistry },
  turn: TurnToCompile,
  channel: Channel,
): TurnContent<Channel> {
  return channels[channel]?.compileTurn(turn) ?? { reason: 'content_violation', faults: [] }
}
