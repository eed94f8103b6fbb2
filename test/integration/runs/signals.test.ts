import { describe, expect, it } from 'vitest'
import { workflowIdOf } from '../../../src/domain/run/run-kinds.ts'
import { applyMove, lockMessage } from '../../../src/services/messages/move.ts'
import { insertMessageRows, messageRow } from '../../fixtures/message-rows.ts'
import { openWorkingRuns } from '../../fixtures/open-runs.ts'
import { waitForObserved } from '../../fixtures/run-waits.ts'
import { eventually } from '../../harness/eventually.ts'
import { forFile } from '../../harness/for-file.ts'

const runs = forFile(openWorkingRuns)

const runOf = (id: string) => runs.temporal.client.workflow.getHandle(workflowIdOf('message', id))
const person = 'person:01a1fb97-e6a9-75be-84ad-795325b1446f'

/** A submitted message whose run waits for an approval. */
async function submitted(): Promise<string> {
  const id = await insertMessageRows(runs.db, { state: 'submitted', sendIn: 3_600_000 })
  runs.wake('message', id, [{ name: 'overdue' }])
  await waitForObserved(runs, id)
  return id
}

async function detailsOf(id: string): Promise<string> {
  const { currentDetails } = await runOf(id).query<{ currentDetails: string }>('__temporal_workflow_metadata')
  return currentDetails
}

/** The signals in the history of a run, but the reconciler's: names with what they carry. */
async function signalsIn(id: string) {
  const { events } = await runOf(id).fetchHistory()
  return events!.flatMap(({ workflowExecutionSignaledEventAttributes: signal }) =>
    signal && signal.signalName !== 'overdue'
      ? [[signal.signalName, ...(signal.input?.payloads ?? []).map(({ data }) => JSON.parse(String(data)))]]
      : [],
  )
}

describe('the signals of a message', () => {
  it('tell what happened by name, with who did it and to which version; the run shows the last', async () => {
    const id = await submitted()
    const told = await runs.db.transaction().execute(async (trx) => {
      const locked = await lockMessage(trx, id)
      await applyMove(trx, locked, 'reject', { actor: person })
      return locked.told
    })
    runs.wake('message', id, told)
    await eventually(async () => expect((await runOf(id).describe()).status.name).toBe('COMPLETED'))
    const { version } = await messageRow(runs.db, id)
    expect(await signalsIn(id)).toEqual([['rejected', { by: person, version }]])
    const details = await detailsOf(id)
    expect(details).toContain(`Told last: \`rejected\`, by ${person}, version ${version}.`)
    expect(details).not.toContain('Ignored')
  })

  it('that were sent by hand decide nothing, and are shown', async () => {
    const id = await submitted()
    const { version } = await messageRow(runs.db, id)
    await runOf(id).signal('approve', { by: 'x' })
    await runOf(id).signal('approved', { by: person, version: version + 1 })
    await eventually(async () => {
      expect(await detailsOf(id)).toContain(
        '**Ignored**: `approve`, `approved`. Decisions are made by the API or the console: Temporal cannot prove who asks.',
      )
    })
    expect(await messageRow(runs.db, id)).toMatchObject({ state: 'submitted', version })
    expect(await detailsOf(id)).toContain('waiting for an approval')
  })

  it.each([
    ['by nobody', {}],
    ['by another', { by: 'person:01a1fb97-0000-75be-84ad-795325b1446f', version: 2 }],
    ['of another version', { by: person, version: 7 }],
    ['of nothing that JSON has', [null]],
  ])('are not borne out %s', async (_what, argument) => {
    const id = await submitted()
    await runs.db.transaction().execute(async (trx) => {
      await applyMove(trx, await lockMessage(trx, id), 'reject', { actor: person })
    })
    await runOf(id).signal('rejected', argument)
    await eventually(async () => expect((await runOf(id).describe()).status.name).toBe('COMPLETED'))
    expect(await detailsOf(id)).toContain('**Ignored**: `rejected`.')
  })

  it('that came late are no error', async () => {
    const id = await submitted()
    const told = await runs.db.transaction().execute(async (trx) => {
      const locked = await lockMessage(trx, id)
      await applyMove(trx, locked, 'approve', { actor: person })
      await applyMove(trx, locked, 'pause', { actor: person })
      return locked.told
    })
    runs.wake('message', id, [told[1]!])
    await waitForObserved(runs, id)
    runs.wake('message', id, [told[0]!])
    await eventually(async () => expect(await detailsOf(id)).toContain('Told last: `approved`'))
    expect(await detailsOf(id)).not.toContain('Ignored')
  })

  it('of one run are merged: one signal, named for the newest', async () => {
    const id = await insertMessageRows(runs.db, { state: 'submitted', sendIn: 3_600_000 })
    for (const name of ['submitted', 'paused', 'resumed'] as const)
      runs.wake('message', id, [{ name, by: person, version: 1 }])
    await waitForObserved(runs, id)
    const [[first, carried]] = (await signalsIn(id)) as [[string, { also?: { name: string }[] }]]
    const also = (carried.also ?? []).map(({ name }) => name)
    expect([...also, first]).toEqual(['submitted', 'paused', 'resumed'].slice(0, also.length + 1))
    expect((await signalsIn(id)).length).toBeLessThanOrEqual(2)
  })
})
