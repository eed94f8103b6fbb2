import type { ChannelActivities } from '../activities/index.ts'
import type { Channel } from '../contract/enums.ts'
import { channelEntries } from '../domain/lib/channel-entries.ts'

/** A wave to be sent, with the number of lanes for each channel. */
type WaveToSend = { id: string; lanes: Partial<Record<Channel, number>> }

/** How a wave is sent: by which activities of a channel, and until when its slices go on. */
type Sending = {
  on(channel: Channel, summary: string): Pick<ChannelActivities, 'sendSlice'>
  shouldStop(): boolean
}

/**
 * Sends a wave in slices, with parallel lanes for each channel, until no lane has work left or `shouldStop`. Returns
 * how long to wait before the row is read again (ms): the shortest wait of a lane, 0 if a lane need not wait.
 */
export async function sendWave({ id, lanes }: WaveToSend, sending: Sending): Promise<number> {
  const waits = channelEntries(lanes).flatMap(([channel, count]) =>
    Array.from({ length: count }, (_, index) => lane(id, channel, index + 1, sending)),
  )
  return Math.min(...(await Promise.all(waits)))
}

/** Runs one lane, slice after slice. Each slice checks whether the wave may still be sent. */
async function lane(
  waveId: string,
  channel: Channel,
  number: number,
  { on, shouldStop }: Sending,
): Promise<number> {
  const { sendSlice } = on(channel, `${channel}, lane ${number}`)
  for (;;) {
    const slice = await sendSlice(waveId, channel)
    if (!slice.more) return 0
    if (slice.waitMs > 0) return slice.waitMs
    if (shouldStop()) return 0
  }
}
