import { expect, it } from 'vitest'
import type { Endpoint } from '../../../src/contract/endpoint.ts'
import { endpoints, type OperationId } from '../../../src/contract/endpoints.ts'
import { type Api, startApi } from '../../fixtures/api.ts'
import { byCall } from '../../fixtures/senders.ts'
import { forFile } from '../../harness/for-file.ts'
import { succeed } from './successes.ts'

const api = forFile(() =>
  startApi({
    services: { avatarUnit: 'Unit A', senders: { chat: byCall(async () => ({ kind: 'accepted' })) } },
  }),
)

/** Operations that write no row, and why. All other changes are in the audit log. */
const exceptions: Partial<Record<OperationId, string>> = {
  dryRunMessage: 'changes nothing; counts by history: test/integration/audience/count-view.test.ts',
  previewMessage: 'shows and changes nothing',
  dryRunUnsaved: 'changes nothing; counts by history: test/integration/audience/count-view.test.ts',
  previewUnsaved: 'shows and changes nothing',
  previewTemplate: 'shows and changes nothing',
  simulateContent: 'walks and changes nothing',
  simulateScenario: 'walks and changes nothing',
  markInboxItemRead: 'the read mark is its own record',
  receiveChatWebhook: 'is stored as it came; what it leads to writes its own rows',
  receiveEmailWebhook: 'is stored as it came; what it leads to writes its own rows',
  receiveAvatarWebhook: 'is stored as it came; what it leads to writes its own rows',
}

const changing = Object.entries<Endpoint>(endpoints)
  .filter(([, { method }]) => method !== 'GET')
  .map(([id]) => id as OperationId)

async function lastRow(): Promise<number> {
  const { db } = api.database
  const { id } = await db
    .selectFrom('audit')
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirstOrThrow()
  return Number(id ?? 0)
}

it.each(changing)('%s leaves a row in the audit log', async (id) => {
  // The tested operation is the last call; those that prepare it write rows too.
  let before = 0
  const call: Api['call'] = async (...args) => {
    before = await lastRow()
    return api.call(...args)
  }
  const { status, body } = await succeed({ ...api, call }, id)
  const answer = `${status} ${JSON.stringify(body)}`
  expect(
    status,
    `${id} did not succeed: say in ways (audit/successes.ts) how it does. ${answer}`,
  ).toBeLessThan(300)
  const rows = await api.database.db.selectFrom('audit').selectAll().where('id', '>', before).execute()
  const advice = `${id} changes something without insertAudit. If that is right, say why in exceptions of this test.`
  if (!exceptions[id]) expect(rows.length, advice).toBeGreaterThan(0)
  for (const { actor, object_kind, object_id } of rows) {
    expect(actor).toMatch(/^(person|key|recipient|event|system|operator):/)
    expect([object_kind, object_id]).not.toContain('')
  }
})
