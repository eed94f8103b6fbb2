import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { createCircuitBreaker } from '../../../src/activities/delivery/circuit-breaker.ts'
import { moveActivities } from '../../../src/activities/moves.ts'
import type { CreateMessage } from '../../../src/contract/messages/create.ts'
import { countParked } from '../../../src/db/queries/run/parked.ts'
import type { Outcome } from '../../../src/domain/message/outcome.ts'
import { getMessage } from '../../../src/services/messages/read.ts'
import {
  cancelMessage,
  pauseMessage,
  resumeMessage,
  retryMessage,
  stopMessage,
} from '../../../src/services/messages/transitions.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { runNextStep, runUntilWait } from '../../fixtures/delivery-steps.ts'
import { brokenInvariants } from '../../fixtures/invariants.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend, startedSend } from '../../fixtures/sends.ts'

let fixture: ScriptedDelivery
const { database, shared } = forSends()
beforeEach(() => {
  fixture = withScriptedProvider(shared)
})

const refusesUs: Outcome = { kind: 'misconfigured', code: 'http_401' }
const usedUp: Outcome = { kind: 'quota' }

const read = (id: string) => getMessage(fixture.services, fixture.editor, id)
const retry = (id: string, skip?: boolean) =>
  retryMessage(fixture.services, fixture.editor, id, skip === undefined ? {} : { skip })

/** A send to 1,200 recipients; the provider rejects all calls after the first, of 500. Two batches have failed. */
async function parked(outcome = refusesUs, parts?: Partial<CreateMessage>): Promise<string> {
  const { id } = await approvedSend(fixture, await addRecipients(database.db, 1_200), parts)
  fixture.provider.next(() => undefined)
  fixture.provider.always(outcome, 1_000)
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'the provider' })
  return id
}

/** Makes the provider accept everything again, and the next probe due. */
async function recovered(id: string): Promise<void> {
  fixture.provider.recover()
  await sql`update wave set probe_at = now() where message_id = ${id} and probe_at is not null`.execute(
    database.db,
  )
  await sql`
    update batch set not_before = null from wave where wave.id = wave_id and message_id = ${id}`.execute(
    database.db,
  )
}

async function expectClosed(id: string, state: string, stats: object): Promise<void> {
  expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'end' })
  expect(await read(id)).toMatchObject({ state, stats, parked: null, closedAt: expect.any(String) })
  expect((await read(id)).problem).toBeUndefined()
  expect(await brokenInvariants(database.db, { runs: false })).toEqual([])
}

describe('a send whose provider rejects it', () => {
  it('shows why it is parked, since when, and when it is retried', async () => {
    const { message: before } = await countParked(database.db)
    const id = await parked()
    const { problem, parked: standing, allowed, stats } = await read(id)
    expect({ problem, standing, retry: allowed.retry, stats }).toMatchObject({
      problem: 'provider',
      standing: { problem: 'provider' },
      retry: { allowed: true },
      stats: { sent: 500, pending: 700 },
    })
    expect(Date.parse(standing!.nextProbeAt)).toBeGreaterThan(Date.parse(standing!.since))
    expect((await countParked(database.db)).message).toEqual({ ...before, provider: before.provider + 1 })
    await retry(id, true)
    await expectClosed(id, 'sent', { sent: 500, skipped: { parked: 700 } })
    expect((await countParked(database.db)).message).toEqual(before)
  })

  it('parks after a minute without an answer, not before, and continues at a probe', async () => {
    const clock = { now: 0 }
    const breaker = createCircuitBreaker(() => clock.now)
    fixture = { ...fixture, delivery: { ...fixture.delivery, breaker } }
    const { id } = await startedSend(fixture, await addRecipients(database.db, 600))
    const down: Outcome = { kind: 'unavailable', code: 'no_connection', certain: true, general: true }
    fixture.provider.always(down, 1_000)
    while ((await read(id)).problem === undefined) {
      expect(clock.now).toBeLessThan(70_000)
      await runNextStep(fixture, id)
      clock.now += 5_000
      await sql`update batch set not_before = null`.execute(database.db) // its back-off has passed by then
    }
    expect(clock.now).toBeGreaterThan(60_000)
    expect(await read(id)).toMatchObject({ problem: 'provider', stats: { pending: 600 } })
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'the provider' })
    clock.now += 60_000
    await recovered(id)
    await expectClosed(id, 'sent', { sent: 600 })
  })

  it('continues at its next probe', async () => {
    const id = await parked(usedUp)
    expect(await read(id)).toMatchObject({ problem: 'provider_quota' })
    await recovered(id)
    await expectClosed(id, 'sent', { sent: 1_200 })
  })

  it('continues at once when a person retries it', async () => {
    const id = await parked()
    fixture.provider.recover()
    expect(await retry(id)).toEqual({ state: 'sending' })
    await expectClosed(id, 'sent', { sent: 1_200 })
    expect((await read(id)).timeline.map(({ action }) => action)).toContain('retry')
  })

  it('stays parked since the beginning if the provider still fails', async () => {
    const id = await parked()
    const { since } = (await read(id)).parked!
    await retry(id)
    fixture.provider.recover()
    fixture.provider.next(usedUp)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'the provider' })
    expect((await read(id)).parked).toMatchObject({ since, problem: 'provider_quota' })
    await retry(id, true)
    await expectClosed(id, 'sent', { sent: 500, skipped: { parked: 700 } })
  })

  it('can be paused, and continues where it was when it is resumed', async () => {
    const id = await parked()
    await pauseMessage(fixture.services, fixture.editor, id)
    await expect(retry(id)).rejects.toMatchObject({ code: 'invalid_transition' })
    await resumeMessage(fixture.services, fixture.editor, id)
    expect(await read(id)).toMatchObject({ state: 'sending', problem: 'provider' })
    fixture.provider.recover()
    await retry(id)
    await expectClosed(id, 'sent', { sent: 1_200 })
  })

  it('can be stopped', async () => {
    const id = await parked()
    await expect(cancelMessage(fixture.services, fixture.editor, id)).rejects.toMatchObject({
      code: 'invalid_transition',
    })
    await stopMessage(fixture.services, fixture.editor, id)
    await expectClosed(id, 'stopped', { sent: 500, skipped: { stopped: 700 } })
  })

  it('expires with its message', async () => {
    const id = await parked(refusesUs, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() })
    await sql`update message set expires_at = now() where id = ${id}`.execute(database.db)
    await expect(retry(id)).rejects.toMatchObject({ code: 'invalid_transition' })
    await expectClosed(id, 'sent', { sent: 500, skipped: { expired: 700 } })
  })

  it('obeys an operator in the Temporal UI, and the audit log names them', async () => {
    const id = await parked()
    const { applyOperatorMove } = moveActivities({ db: database.db })
    const { version } = await read(id)
    expect(await applyOperatorMove(id, 'retry', version)).toEqual({ moved: 'retry' })
    expect(await applyOperatorMove(id, 'retry', version)).toEqual({ moved: 'none' }) // it is another version now
    expect(await applyOperatorMove(id, 'skip', version + 1)).toEqual({ moved: 'skip' })
    await expectClosed(id, 'sent', { sent: 500, skipped: { parked: 700 } })
    expect(await applyOperatorMove(id, 'skip', null)).toEqual({ moved: 'none' })
    const { timeline } = await read(id)
    const by = timeline.filter(({ by }) => by.id === 'operator:temporal').map(({ action }) => action)
    expect(by).toEqual(['retry', 'skip'])
  })
})

describe('a reminder whose provider rejects it', () => {
  it('is parked and skipped alone; its message stays sent', async () => {
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 1_200), {
      remindAt: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await runUntilWait(fixture, id)
    await sql`update message set remind_at = now() where id = ${id}`.execute(database.db)
    fixture.provider.next(() => undefined)
    fixture.provider.always(refusesUs, 1_000)
    expect(await runUntilWait(fixture, id)).toMatchObject({ do: 'wait', for: 'the provider' })
    expect(await read(id)).toMatchObject({
      state: 'sent',
      problem: 'provider',
      allowed: { retry: { allowed: true } },
    })
    expect(await retry(id, true)).toEqual({ state: 'sent' })
    await expectClosed(id, 'sent', { sent: 1_200 })
    expect((await read(id)).reminder).toMatchObject({
      state: 'sent',
      stats: { sent: 500, skipped: { parked: 700 } },
    })
  })
})

describe('a send that is not parked', () => {
  it('has nothing to retry', async () => {
    const { id } = await approvedSend(fixture, await addRecipients(database.db, 600))
    await runNextStep(fixture, id)
    for (const skip of [false, true])
      await expect(retry(id, skip)).rejects.toMatchObject({ code: 'invalid_transition' })
    await expectClosed(id, 'sent', { sent: 600 })
  })
})
