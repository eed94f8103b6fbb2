import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, describeExit, stopChild } from './process.ts'
import type { ProcessRegistry } from './process-registry.ts'

/** A process that runs as long as the environment is up. */
export interface Service {
  name: string
  start(): Promise<Child>
  /** Resolves once it is ready. */
  ready(child: Child): Promise<void>
  /** The signal that shuts it down. */
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** How long the shutdown may take before SIGKILL (ms). */
  graceMs: number
}

interface Kept {
  service: Service
  /** Undefined until the first start. */
  child?: Child
  launching?: Promise<Child>
}

export interface SupervisorOptions {
  book: ProcessRegistry
  say(line: string): void
  /** Called when a process has been replaced. */
  onChange(): void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** A process that ran for this long is restarted after the first pause again. */
const CALM_MS = 60_000

/** Starts services, restarts those that die, and stops all, newest first. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #kept: Kept[] = []
  #stopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Starts a service, waits until it is ready, and restarts it whenever it ends. */
  async start(service: Service): Promise<void> {
    if (this.#stopping) throw new Error('The environment is stopping')
    const kept: Kept = { service }
    this.#kept.push(kept)
    const child = await this.#launch(kept)
    await service.ready(child)
    void this.#keepAlive(kept, child)
  }

  /** The process ids by service. */
  pids(): Record<string, number> {
    return Object.fromEntries(
      this.#kept.flatMap(({ service, child }) => (child ? [[service.name, child.pid]] : [])),
    )
  }

  /** Stops all services, including one that is still starting, and closes the registry. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const { service, child, launching } of this.#kept.toReversed()) {
      const newest = await launching?.catch(() => child)
      if (newest) await stopChild(newest, service.stopSignal, service.graceMs)
    }
    this.#options.book.close()
  }

  /** Kills all services at once. */
  kill(): void {
    this.#stopping = true
    for (const { child } of this.#kept) child?.signal('SIGKILL')
  }

  #launch(kept: Kept): Promise<Child> {
    kept.launching = kept.service.start().then((child) => {
      this.#options.book.add(kept.service.name, child.pid)
      kept.child = child
      return child
    })
    return kept.launching
  }

  async #keepAlive(kept: Kept, first: Child): Promise<void> {
    const { name } = kept.service
    let child = first
    let pause = FIRST_PAUSE_MS
    for (;;) {
      const begun = Date.now()
      const exit = await child.exited
      if (this.#stopping) return
      if (Date.now() - begun > CALM_MS) pause = FIRST_PAUSE_MS
      this.#options.say(`${name} ended (${describeExit(exit)}) and will be restarted`)
      await sleep(pause)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
      if (this.#stopping) return
      try {
        child = await this.#launch(kept)
        this.#options.onChange()
        await kept.service.ready(child)
        this.#options.say(`${name} is ready again (process ${child.pid})`)
      } catch (error) {
        if (!this.#stopping) this.#options.say(String(error))
      }
    }
  }
}
