import { type Channel, channels } from '../../contract/enums.ts'
import { PostbackAction } from '../../contract/messages/content.ts'

/** What a tap belongs to: the message `m`, by id; or what the run `s` of a scenario said at the node `m`. */
export type Origin = { m: string } | { s: string; m: string }

/**
 * What a button sends back. Its effect is looked up in the frozen content (docs/design/channels.md), so
 * that a tap cannot ask for more than was offered. With ids of 36 characters it stays far below the provider's limit of
 * 300.
 */
export type Tap = { v: 1 } & Origin & {
    /** Index of the message among the content's messages. */
    n?: string
    /** Index of the option or action in it; in a carousel `card.action`. */
    o?: string
    /** The action of a button of Carillon's own, which is not part of the content. */
    a?: 'do_not_remind' | `${typeof unmuting}${string}`
  }

/** The tap of an option or action. */
export type OptionTap = Tap & { n: string; o: string }

/** The tap of option or action `o` of message `n`. */
export function tap(origin: Origin, n: number, o: string): OptionTap {
  return { v: 1, ...origin, n: String(n), o }
}

/** The tap with which a recipient opts out of the reminder. */
export function doNotRemindTap(origin: Origin): Tap {
  return { v: 1, ...origin, a: 'do_not_remind' }
}

const unmuting = 'unmute:'

/** The tap that undoes the button of `muted`, which has turned its category off on these channels. */
export function unmuteTap(muted: OptionTap, channels: readonly Channel[]): OptionTap {
  return { ...muted, a: `${unmuting}${channels.join(',')}` }
}

/** The channels that a tap switches on again; null: it does not. */
export function readUnmute({ a }: { a?: string | undefined }): Channel[] | null {
  if (!a?.startsWith(unmuting)) return null
  const named = a.slice(unmuting.length).split(',')
  return channels.filter((channel) => named.includes(channel))
}

/** Parses the data of a postback; null if it is not a tap. The message and option it names may not exist. */
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
