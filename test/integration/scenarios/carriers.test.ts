import { expect, it } from 'vitest'
import type { ScenarioContent } from '../../../src/contract/scenarios/content.ts'
import { makeConversation, text } from '../../fixtures/conversations.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { waitForRunEnd } from '../../fixtures/run-waits.ts'
import { scenarioRunRow } from '../../fixtures/scenario-rows.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(() => openWorkingRuns(1_000))

/** Says two texts in a row, the second with an edge for errors. */
function twoTexts(first: string, second: string): ScenarioContent {
  return {
    nodes: [
      { id: 'first', kind: 'message', messages: [text(first)] },
      { id: 'second', kind: 'message', messages: [text(second)] },
      { id: 'instead', kind: 'message', messages: [text('詳情請見網站')] },
      { id: 'end', kind: 'end' },
    ],
    edges: [
      { from: 'first', to: 'second' },
      { from: 'second', to: 'end' },
      { from: 'second', to: 'instead', when: { kind: 'error' } },
      { from: 'instead', to: 'end' },
    ],
  }
}

/** Starts a run whose variable `x` is longer than a chat message may be. */
async function begin(content: ScenarioContent) {
  const { id, address } = await makeConversation(runs, content)
  const variables = JSON.stringify({ x: '長'.repeat(6_000) })
  await runs.db.updateTable('scenario_run').set({ variables }).where('id', '=', id).execute()
  runs.wake('scenario', id, [{ name: 'started' }])
  return { id, address }
}

/** The texts that the person saw, in order. */
async function saidTo(address: string): Promise<string[]> {
  const items = (await runs.chat.journal()).filter(({ to, status }) => to.includes(address) && status === 200)
  return items.flatMap(({ messages }) => messages.map((one) => `${(one as { text?: string }).text}`))
}

const edgesOf = async (runId: string) => {
  const steps = runs.db.selectFrom('scenario_step').select(['node', 'edge']).where('run_id', '=', runId)
  return Object.fromEntries((await steps.execute()).map(({ node, edge }) => [node, edge]))
}

it('what fits is told, and the node that does not fit takes its edge for errors', async () => {
  const { id, address } = await begin(twoTexts('歡迎', '{{ x }}'))
  await waitForRunEnd(runs, id, 'done')
  expect(await saidTo(address)).toEqual(['歡迎', '詳情請見網站'])
  expect(await edgesOf(id)).toMatchObject({ first: 'plain', second: '{"kind":"error"}', instead: 'plain' })
})

it('a node that does not fit fails the run by itself, not by the edge of the next one', async () => {
  const { id, address } = await begin(twoTexts('{{ x }}', '歡迎'))
  await waitForRunEnd(runs, id, 'failed')
  expect(await scenarioRunRow(runs.db, id)).toMatchObject({ node: 'first', reason: 'content_violation' })
  expect(await saidTo(address)).toEqual([])
})
