import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import type { DeliveryContext } from '../../../src/activities/delivery/context.ts'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import type { OperationId } from '../../../src/contract/endpoints.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { startApi } from '../../fixtures/api.ts'
import type { CallOptions } from '../../fixtures/call.ts'
import { runNextStep } from '../../fixtures/delivery-steps.ts'
import { byCall } from '../../fixtures/senders.ts'
import { servicesOn } from '../../fixtures/services.ts'
import type { Model, Moment } from './message-model.ts'

/** Who calls. `outsider` has a key of another unit. */
export type CallerName = 'producer' | 'editor' | 'approver' | 'outsider'

/** Another text each time: an edit that changes nothing makes no version. */
const newText = {
  get messages() {
    return [{ kind: 'text', text: { 'zh-TW': randomUUID() } }]
  },
}

/** What a caller can request, by operation. */
export const asks = {
  edit: ['editMessage', newText],
  submit: ['submitMessage'],
  approve: ['approveMessage'],
  reject: ['rejectMessage', { reason: 'No' }],
  withdraw: ['withdrawMessage'],
  cancel: ['cancelMessage'],
  pause: ['pauseMessage'],
  resume: ['resumeMessage'],
  stop: ['stopMessage'],
  retry: ['retryMessage'],
  skip: ['retryMessage', { skip: true }],
} as const satisfies Record<string, readonly [OperationId, object?]>
export type Ask = keyof typeof asks

/** How the provider responds: `rejects recipients` rejects each recipient, `rejects account` our account. */
export type ProviderAnswer = 'accepts' | 'rejects account' | 'rejects recipients'

const outcomes: Record<ProviderAnswer, (to: string[]) => Outcome> = {
  accepts: () => ({ kind: 'accepted' }),
  'rejects account': () => ({ kind: 'misconfigured', code: 'http_401', general: true }),
  'rejects recipients': (failed) => ({ kind: 'refused', code: 'invalid_recipient', failed }),
}

/** No channel waits longer than this between two rounds of tries. */
const longestBackOffMs = 1_000

/**
 * Real HTTP, real rows and the real steps of a run; only the caller of the steps, the clock and the provider are
 * simulated.
 */
export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage() {
  const api = await startApi()
  const { db } = api.database
  await sql`update quota_default set monthly_limit = 100000000`.execute(db)
  await sql`
    with english as (
      insert into subject (uid, locale, roles) values ('e1', 'en', '{student}') returning id
    ) insert into address (subject_id, channel, address) select id, 'chat', 'Ue1' from english
  `.execute(db)
  const provider = { answer: 'accepts' as ProviderAnswer, calls: 0 }
  const clock = { now: 0 }
  const delivery: DeliveryContext = {
    services: servicesOn(db),
    senders: {
      chat: byCall(async ({ to }) => {
        provider.calls += 1
        return outcomes[provider.answer](to)
      }),
    },
    // A slice makes one call: the next is another step.
    drain: {
      get draining() {
        return provider.calls > 0
      },
    },
    breaker: createCircuitBreaker(() => clock.now),
  }
  const callers: Record<CallerName, CallOptions> = {
    producer: { key: api.keys.a },
    editor: { session: api.sessions.editor },
    approver: { session: api.sessions.approver },
    outsider: { key: api.keys.b },
  }

  return {
    api,
    db,

    async create(times: Model['times']): Promise<string> {
      delivery.breaker = createCircuitBreaker(() => clock.now) // the previous sequence may have ended with failures
      const at = (moment: Moment, hours: number) =>
        times[moment] === 'none' ? undefined : new Date(Date.now() + hours * 3_600_000).toISOString()
      const { body } = await api.call('createMessage', {
        ...callers.producer,
        headers: { 'idempotency-key': randomUUID() },
        body: {
          categoryId: 'manual',
          messages: [{ kind: 'text', text: { 'zh-TW': '選課', en: 'Courses' } }],
          audience: { kind: 'query', roles: ['student'] },
          scheduleAt: at('send', 1),
          remindAt: at('remind', 2),
          expiresAt: at('expire', 3),
        },
      })
      return body.id
    },

    /** Returns the code of the error, or `ok`. */
    async ask(id: string, by: CallerName, verb: Ask): Promise<string> {
      const [operation, body]: readonly [OperationId, object?] = asks[verb]
      const { code } = await api.call(operation, { ...callers[by], id, ...(body && { body }) })
      return code ?? 'ok'
    },

    async comes(id: string, moment: Moment): Promise<void> {
      const column = sql.ref({ send: 'schedule_at', remind: 'remind_at', expire: 'expires_at' }[moment])
      await sql`update message set ${column} = clock_timestamp() where id = ${id} and ${column} > clock_timestamp()`.execute(
        db,
      )
    },

    probeComes: (id: string) =>
      sql`update wave set probe_at = clock_timestamp() where message_id = ${id} and parked is not null`.execute(
        db,
      ),

    /** The worker dies once the send has begun: its deliveries are not written. */
    async start(id: string): Promise<void> {
      await startWave(delivery, id)
    },

    /** The run's next step. Back-offs have passed by then: the batch's in Postgres, the channel's in this process. */
    async step(id: string, answer: ProviderAnswer): Promise<void> {
      clock.now += longestBackOffMs
      await sql`
        update batch set not_before = null from wave where wave.id = wave_id and message_id = ${id}
      `.execute(db)
      Object.assign(provider, { answer, calls: 0 })
      await runNextStep({ delivery }, id, { sliced: true })
      provider.calls = 0
    },

    async read(id: string, by: CallerName = 'approver') {
      return (await api.call('getMessage', { ...callers[by], id })).body
    },
  }
}
