import { expect, it } from 'vitest'
import { readRunHealth } from '../../../src/db/queries/run/reconcile.ts'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { withStep } from '../../fixtures/changed-workflows.ts'
import { insertMessageRows, makeMove, messageRow, reachSendTime } from '../../fixtures/message-rows.ts'
import { openRuns } from '../../fixtures/open-runs.ts'
import { waitForClosed, waitForObserved, waitForState } from '../../fixtures/run-waits.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'
import { payloadsOf } from '../../histories/load.ts'

const runs = forFile(openRuns)
const hourMs = 3_600_000

/** The next release: each stage has a new step before it, guarded as docs/design/rows-and-runs.md says. */
const changed = (code: string) =>
  withStep(code, (sdk) => `if ((0, ${sdk}.patched)('pause')) await waitFor(1, 'a new step')`)

const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))

/** Opens a run that stands in a state of its message. Returns what ends its wait, and in what it ends then. */
type Opened = { id: string; goOn: () => Promise<void>; ends: string }
const open: Record<string, () => Promise<Opened>> = {
  async submitted() {
    const id = await insertMessageRows(runs.db, { state: 'submitted', recipients: 20 })
    return { id, goOn: () => makeMove(runs.db, id, 'approve'), ends: 'sent' }
  },
  async approved() {
    const id = await insertMessageRows(runs.db, { sendIn: hourMs, recipients: 20 })
    return { id, goOn: () => reachSendTime(runs.db, id), ends: 'sent' }
  },
  async paused() {
    const id = await insertMessageRows(runs.db, { sendIn: hourMs, recipients: 20 })
    await makeMove(runs.db, id, 'pause')
    const goOn = async () => {
      await reachSendTime(runs.db, id)
      await makeMove(runs.db, id, 'resume')
    }
    return { id, goOn, ends: 'sent' }
  },
  async sending() {
    runs.gate.mayPass = 1
    const id = await insertMessageRows(runs.db, { recipients: 3_000 })
    return { id, goOn: async () => runs.gate.open(), ends: 'sent' }
  },
  async sent() {
    const id = await insertMessageRows(runs.db, { recipients: 20, remindIn: hourMs })
    const goOn = () => makeMove(runs.db, id, 'cancel')
    return { id, goOn, ends: 'sent' }
  },
}

it('a changed branch that is guarded is taken by runs that are open in any state, without beginning anew', async () => {
  const old = await runs.startWorker()
  const opened: Opened[] = []
  // What sends comes last: it holds the calls of the others.
  for (const state of ['submitted', 'approved', 'paused', 'sent', 'sending']) {
    const one = await open[state]!()
    runs.wake('message', one.id, [{ name: 'approved' }])
    await waitForState(runs, one.id, state)
    await waitForObserved(runs, one.id)
    opened.push(one)
  }
  await eventually(() => expect(runs.gate.waiting).toBeGreaterThan(0))
  const before = await Promise.all(opened.map(async ({ id }) => (await runOf(id).describe()).runId))
  const stopped = old.stop()
  for (const { goOn } of opened) await goOn()
  await stopped

  await runs.startWorker({ spoil: changed, restartWedged: true })
  for (const [index, { id, ends }] of opened.entries()) {
    await waitForClosed(runs, id)
    expect((await messageRow(runs.db, id)).state).toBe(ends)
    expect((await runOf(id).describe()).runId).toBe(before[index])
    expect(payloadsOf(await runOf(id).fetchHistory()).join()).toContain('a new step')
  }
  expect(await readRunHealth(runs.db)).toMatchObject({ message: { wedged: 0, restarted: 0 } })
})
