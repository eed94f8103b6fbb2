import type { Channel } from '../contract/enums.ts'
import { channelEntries } from '../domain/channel-entries.ts'
import { channelActivities } from './activities.ts'

/** A wave to be sent, and by how many lanes in each channel. */
export type WaveToSend = {
  waveId: string
  lanes: Partial<Record<Channel, number>>
  view: { unitId: string }
}

/**
 * Sends a wave slice by slice, several lanes of each channel at a time, until nothing is left for any of them, or
 * `interrupted`. Answers how long to wait before the next look, in ms: every lane was asked to; 0 where one was not.
 */
export async function sendWave(wave: WaveToSend, interrupted: () => boolean): Promise<number> {
  const lanes = channelEntries(wave.lanes).flatMap(([channel, count]) =>
    Array.from({ length: count }, (_, index) => lane(wave, channel, index + 1, interrupted)),
  )
  return Math.min(...(await Promise.all(lanes)))
}

/** One lane: a slice after another. A slice reads by itself whether the wave may still be sent. */
async function lane(
  { waveId, view }: WaveToSend,
  channel: Channel,
  number: number,
  interrupted: () => boolean,
): Promise<number> {
  const { sendSlice } = channelActivities(channel, view.unitId, `${channel}, lane ${number}`)
  for (;;) {
    const slice = await sendSlice(waveId, channel)
    if (!slice.more) return 0
    if (slice.waitMs > 0) return slice.waitMs
    if (interrupted()) return 0
  }
}
