import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { finishWave } from '../../../src/activities/delivery/finish-wave.ts'
import type { Channel } from '../../../src/contract/enums.ts'
import { forSends } from '../../fixtures/delivery.ts'
import { activityAttempt } from '../../fixtures/delivery-steps.ts'
import { addRecipients } from '../../fixtures/recipients.ts'
import { rowsOf, startedSend } from '../../fixtures/sends.ts'
import { commitWhileBlocked } from '../../harness/lock-waits.ts'

const { database, shared: fixture } = forSends()

it('a batch that another lane ends while the end is being decided is counted before the message closes', async () => {
  const planned = await startedSend(fixture, await addRecipients(database.db, 600))
  const { db } = database
  await sql`update batch set state = 'done', sent = size, pushes = size where number = 0`.execute(db)
  // The other lane writes its outcome at the moment at which the first batch is being tallied.
  await sql`
    create function other_lane() returns trigger language plpgsql as $$ begin
      update batch set state = 'done', sent = size, pushes = size where state = 'open';
      return null;
    end $$`.execute(db)
  await sql`
    create trigger other_lane after update on batch
    for each row when (new.state = 'counted') execute function other_lane()`.execute(db)

  expect(await finishWave(fixture.delivery, activityAttempt(), planned.id)).toMatchObject({ closed: false })
  expect(await finishWave(fixture.delivery, activityAttempt(), planned.id)).toMatchObject({ closed: true })
  expect(await rowsOf(fixture, planned)).toMatchObject({ message: { state: 'sent' }, wave: { sent: 600 } })
})

it('the end of a wave locks the accounts of all channels in one order, before it settles any of them', async () => {
  const { db } = database
  const planned = await startedSend(fixture, await addRecipients(db, 3, ['chat', 'email']), {
    categoryId: 'everywhere',
  })
  // Only the mail is still to be tallied; what chat has reserved is released at the end.
  await sql`
    update batch set state = case channel when 'email' then 'done' else 'counted' end, sent = size, pushes = size
    where wave_id = ${planned.waveId}`.execute(db)
  const lock = (channel: Channel) => sql`
    select from quota_ledger where channel = ${channel} for no key update nowait`
  const end = await commitWhileBlocked(
    db,
    (trx) => lock('chat').execute(trx),
    () => finishWave(fixture.delivery, activityAttempt(), planned.id),
    () => lock('email').execute(db),
  )
  expect(end).toMatchObject({ closed: true })
})
