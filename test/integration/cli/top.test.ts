import { expect, it } from 'vitest'
import { drawTop } from '../../../src/cli/draw-top.ts'
import { readTop } from '../../../src/cli/top-snapshot.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { runCarillon } from '../../fixtures/carillon.ts'
import { forSends, withScriptedProvider } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { createDraft } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend, startedSend } from '../../fixtures/sends.ts'

const { database, shared } = forSends()

const read = (before?: Awaited<ReturnType<typeof readTop>>) => readTop(database.db, 'Asia/Taipei', before)

it('shows an empty installation', async () => {
  const { code, out } = await runCarillon({ DATABASE_URL: database.url }, 'top')
  expect(code).toBe(0)
  expect(out).toMatch(/^PARKED +nothing$/m)
  expect(out).toMatch(/^SENDING +nothing$/m)
})

it('shows what is sent with its rate, what is parked, and what waits for an approval', async () => {
  const started = await startedSend(shared, await addRecipients(database.db, 1_200))
  const before = await read()
  expect(before.sending).toMatchObject({
    total: 1,
    items: [{ messageId: started.id, expected: 1_200, done: 0, perSecond: 0 }],
  })

  const fixture = withScriptedProvider(shared)
  fixture.provider.next(() => undefined)
  fixture.provider.always({ kind: 'quota' }, 100)
  expect(await runUntilWait(fixture, started.id)).toMatchObject({ for: 'the provider' })
  const draft = await createDraft(shared, {
    audience: { kind: 'query', tags: [await addRecipients(database.db, 3)] },
  })
  await submitMessage(shared.services, shared.producer, draft)

  const now = await read(before)
  const [item] = now.sending.items
  expect(item).toMatchObject({ done: 500, failed: 0 })
  const seconds = (now.at.getTime() - before.at.getTime()) / 1_000
  expect(item!.perSecond).toBeCloseTo(500 / seconds)
  expect(now.parked.oldest).toMatchObject([{ id: started.id, problem: 'provider_quota' }])
  expect(now.parked.counts.message.provider_quota).toBe(1)
  expect(now.approvals.waiting).toBe(1)
  expect(drawTop(now, { columns: 80, rows: 24 }).join('\n')).toContain(`${started.id}  ███░░░░░  41%`)

  const { code, out } = await runCarillon({ DATABASE_URL: database.url }, '--json', 'top')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    sending: { total: 1, items: [{ messageId: started.id, done: 500 }] },
    approvals: { waiting: 1 },
    runs: { message: {}, scenario: {}, schedule: {} },
  })
})

it('does not list what is only approved, or has ended', async () => {
  const { id } = await approvedSend(shared, await addRecipients(database.db, 2))
  expect((await read()).sending.items.map(({ messageId }) => messageId)).not.toContain(id)
  await runUntilWait(withScriptedProvider(shared), id)
  expect((await read()).sending.items.map(({ messageId }) => messageId)).not.toContain(id)
})
