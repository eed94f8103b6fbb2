import { beforeAll, expect, it } from 'vitest'
import { setDefaultLimit } from '../../../src/db/queries/quota/ledger.ts'
import { retireNextRuns } from '../../../src/services/scenario-runs/retire-runs.ts'
import {
  conversation,
  makeConversation,
  storeEvent,
  tapOf,
  tapOption,
  typeText,
  workOff,
} from '../../fixtures/conversations.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { waitForRunAt, waitForRunEnd } from '../../fixtures/run-waits.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openRuns)
beforeAll(async () => {
  await setDefaultLimit(runs.db, { scope: 'pool', channel: 'chat', limit: 1_000 })
  const { reconciler } = await runs.startWorker()
  // On a busy machine it wakes a run once more, which then says its farewell before the person answers.
  await reconciler.stop()
})

/** A run that waits at its question, whose scenario is then retired. */
async function retired() {
  const edges = [...conversation.edges, { from: 'ask', to: 'no', when: { kind: 'text' as const } }]
  const run = await makeConversation(runs, { edges, farewell: { 'zh-TW': '這項服務已結束' } })
  runs.wake('scenario', run.id, [{ name: 'started' }])
  await waitForRunAt(runs, run.id, 'ask', 'waiting')
  await runs.db.updateTable('scenario').set({ state: 'retired' }).where('id', '=', run.scenarioId).execute()
  return run
}

/** What the person saw last. */
async function lastSaidTo(address: string): Promise<string> {
  const items = await runs.chat.journal()
  return JSON.stringify(
    items.filter(({ to, status }) => to.includes(address) && status === 200).at(-1)?.messages,
  )
}

it('says its farewell to a person who answers before the round that ends its runs', async () => {
  const { id, address } = await retired()
  const event = await storeEvent(runs, address, tapOf(id, '0'))
  expect(await workOff(runs, event)).toBe('answered')
  await waitForRunEnd(runs, id, 'cancelled')
  expect(await scenarioRunRow(runs.db, id)).toMatchObject({ reason: 'retired', node: 'ask' })
  expect(await lastSaidTo(address)).toContain('這項服務已結束')
  expect(await retireNextRuns(runs)).toBe(false)
})

it('is over for a person who taps or types while it says its farewell, and after it', async () => {
  const { id, address } = await retired()
  runs.gate.mayPass = 0
  expect(await retireNextRuns(runs)).toBe(true)
  await eventually(() => expect(runs.gate.waiting).toBe(1))
  expect(await typeText(runs, { address }, '不知道')).toBe('late')
  runs.gate.open()
  await waitForRunEnd(runs, id, 'cancelled')
  expect(await lastSaidTo(address)).toContain('這項服務已結束')
  expect(await tapOption(runs, { id, address }, '0')).toBe('late')
  expect(await typeText(runs, { address }, '要')).toBe('late')
})
