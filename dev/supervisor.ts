import { setTimeout as sleep } from 'node:timers/promises'
import { type Child, describeExit, stopChild } from './process.ts'
import type { ProcessRegistry } from './process-registry.ts'

/** Something that runs as a process for as long as the environment is up. */
export interface Service {
  name: string
  start(): Promise<Child>
  /** Resolves when it does its work. */
  ready(child: Child): Promise<void>
  /** What ends it decently. */
  stopSignal: 'SIGTERM' | 'SIGINT'
  /** How long that may take before it is killed. */
  graceMs: number
}

interface Kept {
  service: Service
  /** Undefined until it has been started for the first time. */
  child?: Child
  launching?: Promise<Child>
}

export interface SupervisorOptions {
  book: ProcessRegistry
  say(line: string): void
  /** Called when a process was replaced by another. */
  onChange(): void
}

const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 10_000
/** A process that lived this long gets the first pause again. */
const CALM_MS = 60_000

/** Starts services, starts again those that die, and stops them, the newest first. */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #kept: Kept[] = []
  #stopping = false

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  /** Starts a service, waits until it is ready, and keeps it alive from then on. */
  async start(service: Service): Promise<void> {
    if (this.#stopping) throw new Error('everything is being stopped')
    const kept: Kept = { service }
    this.#kept.push(kept)
    const child = await this.#launch(kept)
    await service.ready(child)
    void this.#keepAlive(kept, child)
  }

  /** The processes themselves, by service. */
  pids(): Record<string, number> {
    return Object.fromEntries(
      this.#kept.flatMap(({ service, child }) => (child ? [[service.name, child.pid]] : [])),
    )
  }

  /** Stops everything, also what is only just being started, and closes the book. */
  async stop(): Promise<void> {
    this.#stopping = true
    for (const { service, child, launching } of this.#kept.toReversed()) {
      const newest = await launching?.catch(() => child)
      if (newest) await stopChild(newest, service.stopSignal, service.graceMs)
    }
    this.#options.book.close()
  }

  /** Kills everything at once. */
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
      this.#options.say(`${name} ended (${describeExit(exit)}) and is started again`)
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
