import type { History } from '@temporalio/common/lib/proto-utils.js'
import { beforeAll, expect, it } from 'vitest'
import type { RunKind } from '../../../src/domain/run/run-kinds.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { historiesOf } from '../../fixtures/run-histories.ts'
import { warmUp } from '../../fixtures/run-waits.ts'
import type { RunsFixture } from '../../fixtures/runs.ts'
import { forFile } from '../../harness/for-file.ts'
import { messagePaths } from '../../histories/message-paths.ts'
import { scenarioPaths } from '../../histories/scenario-paths.ts'

const runs = forFile(openWorkingRuns)
beforeAll(() => warmUp(runs))

/** What the steps in a history say that they have called a provider: local activities, and others. */
function callsIn({ events }: History): number {
  const results = (events ?? []).flatMap((event) => {
    const local = event.markerRecordedEventAttributes?.details?.result?.payloads?.[0]?.data
    const result = event.activityTaskCompletedEventAttributes?.result?.payloads?.[0]?.data
    return [local, result].filter((data) => data?.length)
  })
  return results.reduce((sum, data) => {
    const { calls = 0, counts } = JSON.parse(Buffer.from(data!).toString()) ?? {}
    return sum + calls + (counts?.calls ?? 0)
  }, 0)
}

/** What these runs say that they have called. */
async function callsOf(kind: RunKind, lives: Record<string, Path>, names: string[]): Promise<number> {
  let calls = 0
  for (const name of names)
    for (const history of await historiesOf(runs, kind, await lives[name]!(runs))) calls += callsIn(history)
  return calls
}
type Path = (runs: RunsFixture) => Promise<string>

/**
 * Not among them, for they have no run: replies in handoffs (`reply-send`), tests to oneself (`testSend`), notices, and the
 * product's own sentences by a reply token: the acknowledgement of a tap, the link to the settings, and guidance.
 */
it('each call of the provider for a wave or a turn stands in the result of a step, and no other', async () => {
  const before = (await runs.chat.journal()).length
  const waves = ['sent', 'sent-in-one-step', 'reminded', 'stopped']
  const turns = ['scenario-answered', 'scenario-timed-out', 'scenario-looked-up', 'scenario-handed-over']
  const told =
    (await callsOf('message', messagePaths, waves)) + (await callsOf('scenario', scenarioPaths, turns))
  expect(told).toBeGreaterThan(20)
  expect((await runs.chat.journal()).length - before).toBe(told)
})
