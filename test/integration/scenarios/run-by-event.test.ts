import { expect, it } from 'vitest'
import { insertChatPerson } from '../../fixtures/handoffs.ts'
import { forApiWithRuns } from '../../fixtures/open-runs.ts'
import { insertScenario } from '../../fixtures/scenario-rows.ts'
import { bind, newEvent, sendEvent } from '../../fixtures/signed-event.ts'
import { eventually } from '../../harness/eventually.ts'

const { api, runs } = forApiWithRuns()

it('a signed event starts a conversation that says its data, on its own for each event', async () => {
  const { db } = api.database
  const { uid, address } = await insertChatPerson(db)
  const scenario = await insertScenario(db, {
    ...{ unitId: api.units.a, categoryId: 'news' },
    content: {
      variables: [{ name: 'day', required: true }],
      nodes: [
        { id: 'tell', kind: 'message', messages: [{ kind: 'text', text: { 'zh-TW': '課程改到{{ day }}' } }] },
        { id: 'end', kind: 'end' },
      ],
      edges: [{ from: 'tell', to: 'end' }],
    },
  })
  await bind(api, { templateId: null, scenarioId: scenario.id, runPer: 'event' })
  for (const day of ['週六', '週日']) {
    const { body } = await sendEvent(api, newEvent({ subjectUids: [uid], data: { day } }))
    expect(body).toMatchObject({ messageId: null, runs: 1 })
  }
  await eventually(async () => {
    const items = (await runs.chat.journal()).filter(({ to }) => to.includes(address))
    const texts = items.map(({ messages }) => JSON.stringify(messages))
    expect(texts.toSorted()).toEqual([
      expect.stringContaining('課程改到週六'),
      expect.stringContaining('課程改到週日'),
    ])
  })
})
