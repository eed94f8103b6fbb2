import { expect, it } from 'vitest'
import { conversation, tapOption } from '../../fixtures/conversations.ts'
import { insertChatPerson } from '../../fixtures/handoffs.ts'
import { forApiWithRuns } from '../../fixtures/open-runs.ts'
import { insertRow } from '../../fixtures/rows.ts'
import { waitForRunEnd } from '../../fixtures/run-waits.ts'
import { insertScenario, scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'

const { api, runs } = forApiWithRuns()

it('a test is said in the chat without consent and preference, but not to who has blocked it', async () => {
  const { db } = api.database
  const { uid, subjectId, address } = await insertChatPerson(db)
  await db.updateTable('person').set({ subject_uid: uid }).where('name', '=', 'Editor').execute()
  // Nobody has consented to this category, the caller has turned it off, and its messages go out by mail.
  const asks = { consent_scope: 'admission', channel_plan: '{"mode":"all","channels":["email"]}' }
  await db.updateTable('category').set(asks).where('id', '=', 'manual').execute()
  const off = { subject_id: subjectId, category_id: 'manual', enabled: false }
  await insertRow(db, 'preference', { ...off, channel: 'chat' })
  const scenario = await insertScenario(db, {
    ...{ unitId: api.units.a, categoryId: 'manual', state: 'draft', content: conversation },
  })

  const begin = () => api.call('startTestRun', { session: api.sessions.editor, id: scenario.id })
  const { body } = await begin()
  expect(body).toMatchObject({ version: 1 })
  await eventually(async () =>
    expect(await scenarioRunRow(db, body.id)).toMatchObject({ state: 'waiting', node: 'ask' }),
  )
  const told = async () => (await runs.chat.journal()).filter(({ to }) => to.includes(address))
  expect(await told()).toHaveLength(1)

  const blocked = { blocked_at: new Date() }
  await db.updateTable('address').set(blocked).where('address', '=', address).execute()
  expect((await begin()).code).toBe('validation_error')
  await tapOption(runs, { id: body.id, address }, '0')
  await waitForRunEnd(runs, body.id, 'failed')
  expect(await scenarioRunRow(db, body.id)).toMatchObject({ reason: 'blocked' })
  expect(await told()).toHaveLength(1)
})
