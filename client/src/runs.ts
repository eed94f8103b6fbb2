import { move } from './move.ts'
import type { Send } from './transport.ts'
import type { CancelledRun, ScenarioRunDetail, Trace } from './types.ts'

/** Runs of scenarios, each with one person. `scenarios.runs` lists them. */
export class Runs {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /** Its path, turns and outcome; for permitted callers also the person and their answers. */
  get(id: string): Promise<ScenarioRunDetail> {
    return this.#send('GET', pathOf(id))
  }

  /** What happened in it, in sentences; for callers who see the person. */
  trace(id: string): Promise<Trace> {
    return this.#send('GET', `${pathOf(id)}/trace`)
  }

  /** Ends it. Unsent turns are discarded, and the person is not notified. */
  cancel(id: string): Promise<CancelledRun> {
    const answer = (): CancelledRun => ({ id, state: 'cancelled' })
    return move(this.#send, `${pathOf(id)}/cancel`, { to: ['cancelled'], answer })
  }
}

function pathOf(id: string): string {
  return `/v1/runs/${encodeURIComponent(id)}`
}
