import { messageRunId } from '../../src/domain/run-names.ts'
import { makeMove, messageRow, plantMessage } from '../fixtures/message-rows.ts'
import type { World } from '../fixtures/runs.ts'
import { eventually } from '../harness/eventually.ts'
import { closed, looked, parkedSeen, sentSome, timerStarted } from './until.ts'

/** Every way a run can go, each once: what stands here is recorded, and replayed by every later version of the code. */
export const paths: Record<string, (world: World) => Promise<string>> = {
  async sent(world) {
    const id = await plantMessage(world.db, { state: 'submitted' })
    world.poke('message', id, 'submitted')
    await looked(world, id)
    await makeMove(world.db, id, 'approve')
    world.poke('message', id, 'approval')
    return closed(world, id)
  },

  async 'scheduled-then-sent'(world) {
    const id = await plantMessage(world.db, { sendIn: 1_000 })
    world.poke('message', id, 'approval')
    return closed(world, id)
  },

  async express(world) {
    const id = await plantMessage(world.db, { recipients: 200 })
    world.poke('message', id, 'approval')
    return closed(world, id)
  },

  async 'cancelled-while-waiting'(world) {
    const id = await plantMessage(world.db, { sendIn: 3_600_000 })
    world.poke('message', id, 'approval')
    await looked(world, id)
    await makeMove(world.db, id, 'cancel')
    world.poke('message', id, 'cancellation')
    return closed(world, id)
  },

  async expired(world) {
    const id = await plantMessage(world.db, { state: 'submitted', expireIn: 1_000 })
    world.poke('message', id, 'submitted')
    return closed(world, id)
  },

  async rejected(world) {
    const id = await plantMessage(world.db, { state: 'submitted' })
    world.poke('message', id, 'submitted')
    await looked(world, id)
    await makeMove(world.db, id, 'reject')
    world.poke('message', id, 'rejection')
    return closed(world, id)
  },

  async 'paused-and-resumed'(world) {
    world.provider.sliceMs = 300
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await sentSome(world, id)
    await makeMove(world.db, id, 'pause')
    world.poke('message', id, 'changed')
    await looked(world, id)
    world.provider.sliceMs = 20
    await makeMove(world.db, id, 'resume')
    world.poke('message', id, 'changed')
    return closed(world, id)
  },

  async 'drifted-back-to-review'(world) {
    world.provider.drifts = true
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await eventually(async () => {
      const { state } = await messageRow(world.db, id)
      if (state !== 'submitted') throw new Error(`still ${state}`)
    })
    await looked(world, id)
    world.provider.drifts = false
    await makeMove(world.db, id, 'approve')
    world.poke('message', id, 'approval')
    return closed(world, id)
  },

  async 'provider-asks-to-wait'(world) {
    world.provider.waitMs = 500
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await timerStarted(world, id)
    world.provider.waitMs = 0
    return closed(world, id)
  },

  /** A step that leaves everything as it was is not repeated at once. */
  async 'step-changes-nothing'(world) {
    world.provider.stalls = true
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await timerStarted(world, id)
    world.provider.stalls = false
    return closed(world, id)
  },

  async stopped(world) {
    world.provider.sliceMs = 300
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await sentSome(world, id)
    await makeMove(world.db, id, 'stop')
    world.poke('message', id, 'changed')
    await closed(world, id)
    world.provider.sliceMs = 20
    return id
  },

  async reminded(world) {
    const id = await plantMessage(world.db, { remindIn: 3_000 })
    world.poke('message', id, 'approval')
    return closed(world, id)
  },

  async 'reminder-cancelled'(world) {
    const id = await plantMessage(world.db, { recipients: 200, remindIn: 3_600_000 })
    world.poke('message', id, 'approval')
    await eventually(async () => {
      const { state } = await messageRow(world.db, id)
      if (state !== 'sent') throw new Error(`still ${state}`)
    })
    await looked(world, id)
    await makeMove(world.db, id, 'cancel')
    world.poke('message', id, 'cancellation')
    return closed(world, id)
  },

  /** Both of an operator's signals: the first finds the provider still down. */
  async 'parked-retried-and-skipped'(world) {
    world.provider.parks = true
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await parkedSeen(world, id)
    const run = world.temporal.client.workflow.getHandle(messageRunId(id))
    await run.signal('retryParked')
    await eventually(async () => {
      const { version } = await messageRow(world.db, id)
      if (version < 3) throw new Error('not retried yet')
    })
    await parkedSeen(world, id)
    world.provider.parks = false
    await run.signal('skipParked')
    return closed(world, id)
  },

  async 'parked-then-sent'(world) {
    world.provider.parks = true
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await parkedSeen(world, id)
    world.provider.parks = false
    await world.temporal.client.workflow.getHandle(messageRunId(id)).signal('retryParked')
    return closed(world, id)
  },

  /** Ends by continuing as new; the new run is recorded as well, for it is the last of this id. */
  async 'operator-cancel'(world) {
    const id = await plantMessage(world.db, { sendIn: 3_600_000 })
    world.poke('message', id, 'approval')
    await looked(world, id)
    await world.temporal.client.workflow.getHandle(messageRunId(id)).cancel()
    return closed(world, id)
  },

  /** What somebody may have got already is paused, while its slices are under way. */
  async 'operator-cancel-while-sending'(world) {
    world.provider.sliceMs = 300
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await sentSome(world, id)
    await world.temporal.client.workflow.getHandle(messageRunId(id)).cancel()
    await eventually(async () => {
      const { state } = await messageRow(world.db, id)
      if (state !== 'paused') throw new Error(`still ${state}`)
    })
    await looked(world, id)
    world.provider.sliceMs = 20
    await makeMove(world.db, id, 'resume')
    world.poke('message', id, 'changed')
    return closed(world, id)
  },

  /** A history that has grown long enough goes on in a fresh one. */
  async 'continued-as-new'(world) {
    world.provider.batches = 150
    world.provider.sliceMs = 0
    const id = await plantMessage(world.db)
    world.poke('message', id, 'approval')
    await closed(world, id)
    world.provider.batches = 6
    world.provider.sliceMs = 20
    return id
  },
}
