import { Categories, Templates, Units } from './catalogue.ts'
import { Messages } from './messages.ts'
import { type CarillonOptions, connectTo, type RequestOptions, type Send } from './transport.ts'

export { CarillonError } from './error.ts'
export type { SendResult } from './send-message.ts'
export type { CarillonOptions, RequestOptions } from './transport.ts'
export type * from './types.ts'

/** The whole service, as a producer sees it. */
export class Carillon {
  readonly messages: Messages
  readonly categories: Categories
  readonly templates: Templates
  readonly units: Units
  readonly #send: Send

  constructor(options: CarillonOptions) {
    this.#send = connectTo(options)
    this.messages = new Messages(this.#send)
    this.categories = new Categories(this.#send)
    this.templates = new Templates(this.#send)
    this.units = new Units(this.#send)
  }

  /** Any operation, also one that has no method here: `request('GET', '/v1/health')`. @throws CarillonError */
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Promise<T> {
    return this.#send<T>(method, path, options)
  }
}
