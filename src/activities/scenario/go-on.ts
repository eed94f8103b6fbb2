import { randomUUID } from 'node:crypto'
import type { GoOn } from '../../services/webhooks/process-event.ts'
import { inSpan } from '../../tracing/spans.ts'
import type { AtOnce } from '../at-once.ts'
import type { DeliveryContext } from '../delivery/context.ts'
import { advanceWithTurn } from './advance-run.ts'
import { tryNextTurn } from './send-turn.ts'

/** Runs that one process goes on with at a time; the others are woken, and go on by themselves. */
const atATime = 20

/**
 * Goes on with a run where the answer of its person was applied, before the run is woken: moves it and says what it says
 * next, if its channel is quick. The person waits for one look at the row instead of a signal, a workflow task and a local
 * activity. The run, which is woken afterwards, only reads where it stands, and waits or ends. If this process dies on the
 * way, the reconciler wakes the run: its row was not observed, or it is due when the lease of the turn ends
 * (docs/design/speed.md).
 */
export function createGoOn(delivery: DeliveryContext, atOnce: AtOnce): GoOn {
  const { services, drain } = delivery
  const open = new Set<Promise<void>>()

  /** Returns the unit of the run, if there is one. */
  async function takeNextStep(runId: string): Promise<string | undefined> {
    const { step, turn } = await advanceWithTurn(services, runId)
    if (step?.do === 'sayTurn')
      await atOnce.take(step.channel, step.do, () =>
        inSpan('go on', { parent: null, attributes: { 'carillon.run.id': runId } }, () =>
          tryNextTurn(delivery, runId, { activity: `answer/${randomUUID()}` }, turn),
        ),
      )
    return step?.view.unitId
  }

  return {
    goOn(runId) {
      const wake = (unitId?: string) => services.wake('scenario', runId, [{ name: 'answered' }], unitId)
      if (open.size >= atATime || drain.draining) return wake()
      const going = takeNextStep(runId)
        .catch((err: unknown) => {
          services.log.debug({ runId, err }, 'A run goes on by itself')
          return undefined
        })
        .then((unitId) => {
          open.delete(going)
          wake(unitId)
        })
      open.add(going)
    },
    finish: async () => void (await Promise.all(open)),
  }
}
