import { channelFacts } from '../channels/facts/by-channel.ts'
import type { Channel } from '../contract/enums.ts'

/** What all spellings of an address have in common, to tell whether two are the same; each channel knows its own. */
export function addressIdentity(channel: Channel, address: string): string {
  return channelFacts[channel].addressIdentity(address)
}
