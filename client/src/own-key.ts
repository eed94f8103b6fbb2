import type { Send } from './transport.ts'
import type { OwnKey as KeyAnswer } from './types.ts'

/** The producer key that calls. */
export class OwnKey {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * What the key may do: its unit, categories, audience dimensions, rights and limits. It throws `invalid_credential`
   * if the key is unknown or revoked, so it is also the quickest check of a configuration.
   */
  get(): Promise<KeyAnswer> {
    return this.#send('GET', '/v1/key')
  }
}
