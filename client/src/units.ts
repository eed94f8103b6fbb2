import { type Listing, listing } from './listing.ts'
import type { Send } from './transport.ts'
import type {
  AuditPage,
  AuditQuery,
  Summary,
  SummaryQuery,
  Unit,
  UnitQuota,
  UnitQuotaQuery,
} from './types.ts'

/** The caller's unit: its members, its quota, and what is going on in it. */
export class Units {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Its members with their roles, and this month's ledger of each channel.
   *
   * @example
   * const { unit } = await carillon.key.get()
   * const { ledger } = await carillon.units.get(unit.id)
   */
  get(id: string): Promise<Unit> {
    return this.#send('GET', `/v1/units/${encodeURIComponent(id)}`)
  }

  /** Its quota of a month on each channel, and which messages reserve it. */
  quota(id: string, query: UnitQuotaQuery = {}): Promise<UnitQuota> {
    return this.#send('GET', `/v1/units/${encodeURIComponent(id)}/quota`, { query })
  }

  /** Counts of what waits for approval, is being sent or is parked. With a session; cheap enough to poll. */
  summary(query: SummaryQuery = {}): Promise<Summary> {
    return this.#send('GET', '/v1/summary', { query })
  }

  /** Who did what, newest first. With a session. */
  audit(query: AuditQuery = {}): Listing<AuditPage> {
    return listing(this.#send, '/v1/audit', query)
  }
}
