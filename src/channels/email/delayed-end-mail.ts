import { Readable } from 'node:stream'
import type { Phase } from './failure.ts'

/**
 * A mail whose end is held back until the connection was listened to once more: a server that has hung up by then cannot
 * have accepted the mail, and nobody needs to wonder.
 */
export class DelayedEndMail extends Readable {
  phase: Phase = 'recipient'
  readonly #bytes: Buffer
  readonly #hungUp: () => boolean

  constructor(bytes: Buffer, hungUp: () => boolean) {
    super()
    this.#bytes = bytes
    this.#hungUp = hungUp
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T): T {
    this.phase = 'body'
    destination.write(this.#bytes)
    afterNextPoll(() => {
      if (this.destroyed || this.#hungUp()) return
      this.phase = 'end'
      destination.end()
    })
    return destination
  }
}

/** The first turn ends the one we are in; between it and the second, sockets are read. */
function afterNextPoll(next: () => void): void {
  setImmediate(() => setImmediate(next))
}
