import { idempotent } from './idempotent.ts'
import { type Listing, listing } from './listing.ts'
import { deletion } from './move.ts'
import type { Send } from './transport.ts'
import type {
  CreateSchedule,
  DeletedSchedule,
  OccurrencePage,
  PageQuery,
  Schedule,
  ScheduleListQuery,
  SchedulePage,
  UpdateSchedule,
} from './types.ts'

/** Schedules of the caller's unit: messages, or starts of a scenario, at set times. */
export class Schedules {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Newest first, each with its next and its last occurrence. */
  list(query: ScheduleListQuery = {}): Listing<SchedulePage> {
    return listing(this.#send, '/v1/schedules', query)
  }

  /**
   * Creates a schedule. Repeated with the same key, it returns the one that the first call created.
   *
   * @example
   * const { nextTimes } = await carillon.schedules.create({
   *   name: 'Monday reminder',
   *   type: 'recurring',
   *   cron: '0 9 * * 1',
   *   message: { categoryId: 'academic-affairs', templateId, audience: { kind: 'query', roles: ['student'] } },
   * })
   */
  create(body: CreateSchedule, options: { idempotencyKey?: string | undefined } = {}): Promise<Schedule> {
    return this.#send('POST', '/v1/schedules', { body, headers: idempotent(options) })
  }

  /** With its next three occurrences and its last one. */
  get(id: string): Promise<Schedule> {
    return this.#send('GET', pathOf(id))
  }

  /** Omitted fields are unchanged; `{enabled: false}` disables it. */
  update(id: string, body: UpdateSchedule): Promise<Schedule> {
    return this.#send('PATCH', pathOf(id), { body, repeatable: true })
  }

  /** It is not due again. What it made goes on. */
  delete(id: string): Promise<DeletedSchedule> {
    return deletion(this.#send, pathOf(id))
  }

  /** Each due time with its outcome, newest first. */
  occurrences(id: string, query: PageQuery = {}): Listing<OccurrencePage> {
    return listing(this.#send, `${pathOf(id)}/occurrences`, query)
  }
}

function pathOf(id: string): string {
  return `/v1/schedules/${encodeURIComponent(id)}`
}
