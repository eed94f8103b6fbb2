import { expect, it } from 'vitest'
import { runCarillon } from '../../fixtures/carillon.ts'
import { forSends, type ScriptedDelivery, withScriptedProvider } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend, type PlannedSend, rowsOf } from '../../fixtures/sends.ts'

const { database, shared } = forSends()

const carillon = (...args: string[]) => runCarillon({ DATABASE_URL: database.url }, ...args)

/** A send to 1,200 recipients; the provider rejects all calls after the first, of 500. */
async function parked(): Promise<{ fixture: ScriptedDelivery; planned: PlannedSend }> {
  const fixture = withScriptedProvider(shared)
  const planned = await approvedSend(fixture, await addRecipients(database.db, 1_200))
  fixture.provider.next(() => undefined)
  fixture.provider.always({ kind: 'quota' }, 100)
  expect(await runUntilWait(fixture, planned.id)).toMatchObject({ do: 'wait', for: 'the provider' })
  fixture.provider.recover()
  return { fixture, planned }
}

async function expectEnd({ fixture, planned }: Awaited<ReturnType<typeof parked>>, ...ending: unknown[]) {
  expect(await runUntilWait(fixture, planned.id)).toMatchObject({ do: 'end' })
  const { message, wave } = await rowsOf(fixture, planned)
  expect([message.state, wave.sent, wave.skipped]).toEqual(ending)
  const { actor } = await database.db
    .selectFrom('audit')
    .select('actor')
    .where('object_id', '=', planned.id)
    .where('action', 'in', ['stop', 'retry', 'skip'])
    .executeTakeFirstOrThrow()
  expect(actor).toBe('operator:cli')
}

it('retries a parked send, and the runs observe it', async () => {
  const parts = await parked()
  const { id } = parts.planned
  expect(await carillon('retry', id)).toMatchObject({ code: 0, out: 'Retrying now.\n' })
  const { version, observed_version } = (await rowsOf(parts.fixture, parts.planned)).message
  expect(version).toBeGreaterThan(observed_version)
  await expectEnd(parts, 'sent', 1_200, {})
})

it('skips the remaining recipients', async () => {
  const parts = await parked()
  const { id } = parts.planned
  expect((await carillon('retry', id, '--skip')).out).toBe('Skipping the remaining recipients.\n')
  await expectEnd(parts, 'sent', 500, { parked: 700 })
})

it('stops a send', async () => {
  const parts = await parked()
  const answer = await carillon('--json', 'stop', parts.planned.id)
  expect(JSON.parse(answer.out)).toEqual({ id: parts.planned.id, state: 'stopped' })
  await expectEnd(parts, 'stopped', 500, { stopped: 700 })
})

it('names the conflicting state', async () => {
  const { id } = await approvedSend(withScriptedProvider(shared), await addRecipients(database.db, 2))
  expect(await carillon('stop', id)).toMatchObject({ code: 1, err: expect.stringContaining('approved') })
  expect(await carillon('retry', id)).toMatchObject({ code: 1 })
  expect(await carillon('retry', 'x')).toMatchObject({
    code: 2,
    err: expect.stringContaining('x is not a message id'),
  })
})
