import { register } from 'prom-client'
import { beforeAll, expect, it } from 'vitest'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { sendSmallWave } from '../../../src/activities/delivery/send-small-wave.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { logLines } from '../../fixtures/log-lines.ts'
import { addedSince, valuesOf } from '../../fixtures/metrics.ts'
import { addRecipients, addRecipientsTo } from '../../fixtures/recipients.ts'
import { selectRow } from '../../fixtures/rows.ts'
import { approvedSend, begin } from '../../fixtures/sends.ts'

const { log, lines } = logLines()
const { database, shared: fixture } = forSends()
beforeAll(async () => {
  fixture.delivery.services = { ...fixture.services, log }
})

/** What `act` adds to the deliveries counted by channel and outcome. */
async function addedBy(act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await valuesOf('carillon_deliveries_total')
  await act()
  return addedSince(before, 'carillon_deliveries_total')
}

const linesOf = (id: string) =>
  lines.filter(({ messageId }) => messageId === id).map(({ time, pid, hostname, level, ...line }) => line)

it('each delivery is counted once, and a send begins and ends once in the log, however often a step repeats', async () => {
  const tag = await addRecipients(database.db, 3)
  await addRecipientsTo(database.db, tag, 2, ['email'])
  const { id, waveId } = await approvedSend(fixture, tag, { categoryId: 'chats' })
  const once = () => sendSmallWave(fixture.delivery, activityAttempt(), id, 'chat')
  const added = await addedBy(async () => {
    for (let n = 0; n < 3; n += 1) await once()
  })
  expect(added).toEqual({ 'chat sent': 3, 'chat skipped': 2 })
  const ids = { messageId: id, waveId, reminder: false }
  expect(linesOf(id)).toEqual([
    { ...ids, unitId: fixture.unit.id, pending: 3, skipped: 2, msg: 'Send begun' },
    { ...ids, state: 'sent', sent: 3, failed: 0, unknown: 0, skipped: 2, msg: 'Send ended' },
  ])
})

it('a wave that is sent in slices is counted as it is tallied', async () => {
  const tag = await addRecipients(database.db, 4)
  const { id, waveId } = await approvedSend(fixture, tag, { categoryId: 'chats' })
  const { delivery } = fixture
  fixture.provider.always({ kind: 'refused', code: 'rejected' }, 20)
  const added = await addedBy(async () => {
    for (let n = 0; n < 2; n += 1) {
      await begin({ delivery }, { id })
      await sendSlice(delivery, activityAttempt(), waveId, 'chat')
      await finishWave(delivery, activityAttempt(), id)
    }
  })
  fixture.provider.recover()
  expect(added).toEqual({ 'chat failed': 4 })
  expect(linesOf(id).map(({ msg }) => msg)).toEqual(['Send begun', 'Send ended and reached too few'])
})

it('the lag is that of each recipient, from the moment the message was due', async () => {
  const lag = async () => {
    const { values } = await register.getSingleMetric('carillon_send_lag_seconds')!.get()
    const of = (bound: number | string) => values.find(({ labels }) => labels.le === bound)!.value
    return { fast: of(60), slow: of(900) - of(300), all: of('+Inf') }
  }
  const tag = await addRecipients(database.db, 2)
  const before = await lag()
  const send = async () => {
    const { id } = await approvedSend(fixture, tag, { categoryId: 'chats' })
    return id
  }
  await sendSmallWave(fixture.delivery, activityAttempt(), await send(), 'chat')
  const late = await send()
  const tenMinutesAgo = new Date(Date.now() - 600_000)
  await database.db.updateTable('message').set({ changed_at: tenMinutesAgo }).where('id', '=', late).execute()
  await sendSmallWave(fixture.delivery, activityAttempt(), late, 'chat')
  const after = await lag()
  expect(after).toEqual({ fast: before.fast + 2, slow: before.slow + 2, all: before.all + 4 })
  const { due_at } = await selectRow(database.db, 'wave', { message_id: late }, ['due_at'])
  expect(due_at).toEqual(tenMinutesAgo)
})
