import { expect, it } from 'vitest'
import { startApi } from '../../fixtures/api.ts'
import { selectRows } from '../../fixtures/rows.ts'
import { bind, newEvent, rebind, sendEvent } from '../../fixtures/signed-event.ts'
import { forFile } from '../../harness/for-file.ts'

const api = forFile(startApi)

it('an event whose binding names a few people of a group makes a personal message that a person decides', async () => {
  const key = api.keys.a
  const list = { name: 'Two', kind: 'static', legalBasis: 'consent' }
  const { id: group } = (await api.call('createGroup', { key, body: list })).body
  await api.call('changeMembers', { key, id: group, body: { add: ['s1', 's2'] } })
  await rebind(api, await bind(api), { audience: { kind: 'query', groups: [group] } })

  const { body } = await sendEvent(api, newEvent())
  const message = (await api.call('getMessage', { session: api.sessions.approver, id: body.messageId })).body
  expect(message).toMatchObject({
    state: 'submitted',
    kind: 'personal',
    review: { reason: 'audience_small' },
  })
  const trail = await selectRows(
    api.database.db,
    'audit',
    { object_id: body.messageId, action: 'individual_targeting' },
    ['actor', 'details'],
  )
  expect(trail).toEqual([{ actor: 'event:sis', details: { count: 2 } }])
})
