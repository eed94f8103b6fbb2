import { PostbackAction } from '../../contract/messages/content.ts'

/** Whose content a tap belongs to: a message intent's or a scenario run's. */
export type Origin = { m: string } | { s: string }

/**
 * What a button sends back. What it does is looked up in the frozen content (docs/decisions/0006-chat-rendering.md), so
 * that a tap cannot ask for more than was offered. With ids of 36 characters it stays far below the provider's 300
 * characters.
 */
export type Tap = { v: 1 } & Origin & {
    /** Index of the message among the content's messages. */
    n?: string
    /** Index of the option or action in it; in a carousel `card.action`. */
    o?: string
    /** What the compiler's own button does; the content does not hold it. */
    a?: 'do_not_remind'
  }

/** The tap of option or action `o` of message `n`. */
export function tap(origin: Origin, n: number, o: string): Tap {
  return { v: 1, ...origin, n: String(n), o }
}

/** The tap by which a person asks not to be reminded. */
export function doNotRemindTap(origin: Origin): Tap {
  return { v: 1, ...origin, a: 'do_not_remind' }
}

/** What a button sent back, as the webhook brings it; null where it is none of ours. What it names need not exist. */
export function readTap(data: string) {
  const read = PostbackAction.shape.data.safeParse(parsed(data))
  return read.success ? read.data : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
