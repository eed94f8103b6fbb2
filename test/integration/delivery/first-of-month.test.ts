import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { forFarEnds } from '../../fixtures/delivery.ts'
import { runUntilWait } from '../../fixtures/delivery-steps.ts'
import { producerPrincipal } from '../../fixtures/message-fixture.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { approvedSend } from '../../fixtures/sends.ts'

const { database, fixture } = forFarEnds()

it('a small message makes the partition of its month where there is none', async () => {
  const { db } = database
  const tag = await addRecipients(db, 1)
  const producer = producerPrincipal(fixture.unit.id, { individualTargeting: true })
  const audience = { kind: 'individual' as const, uids: [`${tag}-1`] }
  const { id, waveId } = await approvedSend({ ...fixture, producer }, tag, { audience })
  const createdAt = new Date(Number.parseInt(waveId.replaceAll('-', '').slice(0, 12), 16))
  await sql`drop table if exists ${sql.table(`delivery_${createdAt.toISOString().slice(0, 7).replace('-', '_')}`)}`.execute(
    db,
  )
  const { view } = await runUntilWait(fixture, id)
  expect(view?.state).toBe('sent')
})
