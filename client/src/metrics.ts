import type { Send } from './transport.ts'
import type { ExecutiveMetrics, MetricsQuery, Trend } from './types.ts'

/** Counts and ratios about the unit's messages and scenarios. */
export class Metrics {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** The last `days` days, today included, and the people of the institution. */
  executive(query: MetricsQuery = {}): Promise<ExecutiveMetrics> {
    return this.#send('GET', '/v1/metrics/executive', { query })
  }

  /** One point for each of the last `days` days that are over, in the time zone of the unit. */
  trend(query: MetricsQuery = {}): Promise<Trend> {
    return this.#send('GET', '/v1/metrics/trend', { query })
  }
}
