import type { CarillonError } from './error.ts'
import type { Send } from './transport.ts'

type MoveOptions<T> = {
  body?: unknown
  /** The states that the move leads to. */
  to: readonly string[]
  /** What the move answers when it is in one of them already. */
  answer: (state: string) => T | Promise<T>
}

/**
 * Makes a move that can be made once. It is safe to repeat, since the state refuses a second one; where a repeat is refused
 * with the state that the move leads to, the lost attempt has made it, and that is the answer.
 */
export function move<T>(send: Send, path: string, { body, to, answer }: MoveOptions<T>): Promise<T> {
  return send<T>('POST', path, {
    ...(body === undefined ? {} : { body }),
    repeatable: true,
    doneBefore: (refusal) => {
      const state = stateIn(refusal)
      return state !== undefined && to.includes(state) ? answer(state) : undefined
    },
  })
}

/** The state that does not allow a move; undefined if that is not why it was refused. */
export function stateIn(error: CarillonError): string | undefined {
  return error.is('invalid_transition') ? error.details.state : undefined
}

/** A deletion that can be made once: where a repeat finds nothing, the lost attempt has deleted it. */
export function deletion(send: Send, path: string): Promise<{ deleted: true }> {
  return send<{ deleted: true }>('DELETE', path, {
    repeatable: true,
    doneBefore: (refusal) => (refusal.is('not_found') ? { deleted: true } : undefined),
  })
}
