import { Readable } from 'node:stream'
import type { Phase } from './failure.ts'

/**
 * A mail whose end is sent only after the socket has been polled once more: a server that has hung up by then cannot
 * have accepted the mail, so the outcome is certain.
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

/** The first `setImmediate` ends the current turn of the event loop; sockets are polled before the second. */
function afterNextPoll(next: () => void): void {
  setImmediate(() => setImmediate(next))
}
