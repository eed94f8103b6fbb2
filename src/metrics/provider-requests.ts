import { Histogram } from 'prom-client'
import type { RequestStatus } from '../channels/channel.ts'
import type { Channel } from '../contract/enums.ts'

const providerRequests = new Histogram({
  name: 'carillon_provider_request_seconds',
  help: 'Time of a request to a provider, by channel and status; for mail, of one mail.',
  labelNames: ['channel', 'status'],
  buckets: [0.1, 0.5, 2, 10],
})

/** Records the time of one request to a provider, from `startedAt` (performance.now()) to now. */
export function observeRequest(channel: Channel, status: RequestStatus, startedAt: number): void {
  providerRequests.observe({ channel, status }, (performance.now() - startedAt) / 1_000)
}
