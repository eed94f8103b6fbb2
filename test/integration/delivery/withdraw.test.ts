import { expect, it } from 'vitest'
import { startWave } from '../../../src/activities/delivery/start-wave.ts'
import { editMessage } from '../../../src/services/messages/edit.ts'
import { submitMessage } from '../../../src/services/messages/submit.ts'
import { withdrawMessage } from '../../../src/services/messages/transitions.ts'
import { forScriptedSends } from '../../fixtures/delivery.ts'
import { approve } from '../../fixtures/message-fixture.ts'
import { addRecipients, addRecipientsTo } from '../../fixtures/recipients.ts'
import { selectRow, selectRows } from '../../fixtures/rows.ts'
import { approvedSend } from '../../fixtures/sends.ts'
import { expectAccounted } from './accounting.ts'

const { database, fixture } = forScriptedSends()

it('a message that went back to review and is withdrawn has no wave but those of its next approval', async () => {
  const tag = await addRecipients(database.db, 20)
  const remindAt = new Date(Date.now() + 86_400_000).toISOString()
  const planned = await approvedSend(fixture, tag, { remindAt })
  const { id } = planned
  await addRecipientsTo(database.db, tag, 60)
  expect(await startWave(fixture.delivery, id)).toBeNull()
  expect(await withdrawMessage(fixture.services, fixture.editor, id)).toEqual({ state: 'draft' })
  const waves = () => selectRows(database.db, 'wave', { message_id: id }, ['number', 'state'], 'number')
  expect(await waves()).toEqual([
    { number: 0, state: 'cancelled' },
    { number: 1, state: 'cancelled' },
  ])
  expect(await selectRow(database.db, 'message', { id }, ['drift', 'snapshot', 'review_drift'])).toEqual({
    ...{ drift: null, snapshot: null, review_drift: false },
  })
  await expectAccounted(fixture, planned)

  await editMessage(fixture.services, fixture.editor, id, { remindAt: null })
  await submitMessage(fixture.services, fixture.editor, id)
  expect(await approve(fixture, id)).toEqual({ approved: true })
  expect(await waves()).toEqual([
    { number: 0, state: 'waiting' },
    { number: 1, state: 'cancelled' },
  ])
  await expectAccounted(fixture, planned)
})
