import type { Channel } from '../contract/enums.ts'
import { channelEntries } from '../domain/lib/channel-entries.ts'
import { channelActivities } from './activities.ts'

/** A wave to be sent, with the number of lanes for each channel. */
type WaveToSend = {
  waveId: string
  lanes: Partial<Record<Channel, number>>
  view: { unitId: string }
}

/**
 * Sends a wave in slices, with parallel lanes for each channel, until no lane has work left or `interrupted`. Returns
 * how long to wait before the row is read again (ms): the shortest wait of a lane, 0 if a lane need not wait.
 */
export async function sendWave(wave: WaveToSend, interrupted: () => boolean): Promise<number> {
  const lanes = channelEntries(wave.lanes).flatMap(([channel, count]) =>
    Array.from({ length: count }, (_, index) => lane(wave, channel, index + 1, interrupted)),
  )
  return Math.min(...(await Promise.all(lanes)))
}

/** Runs one lane, slice after slice. Each slice checks whether the wave may still be sent. */
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
