import { z } from 'zod'
import { Channel } from './common.ts'

const count = z.int().min(0)

const tally = {
  sent: count,
  skipped: z.record(z.string(), count).meta({ description: 'By reason: noConsent, cancelled, expired, …' }),
  failed: count,
  unknown: count.meta({ description: 'May or may not have arrived: the provider never said.' }),
  pending: count,
}

/** Deliveries of one wave, from its counters: at most a second behind while sending, exact at closing (design 3). */
export const MessageStats = z
  .object({ ...tally, byChannel: z.partialRecord(Channel, z.object(tally)) })
  .meta({ id: 'MessageStats' })
export type MessageStats = z.infer<typeof MessageStats>
