import type { Locale, TurnWay } from '../contract/enums.ts'

/**
 * The name of a channel on a page: as a title, within a sentence, and in the summary of a mail to an author. `turns`: what so
 * many turns of a conversation cost for each person.
 */
type ChannelName = { title: string; inText: string; inSummary: string; turns: (count: string) => string }

/** What is true of a channel without a setting or a connection. Pure, so that every folder may read it. */
export type ChannelFacts = {
  names: Record<Locale, ChannelName>
  /** Stands for the channel in the form of the preferences page: one letter of its own, and not `t`, which is a topic. */
  formLetter: string
  /**
   * Whose outcome a provider call has. `call`: one for all its recipients, and a later call sends them the next part.
   * `recipient`: one for each, and a later call repeats the same for those that are left.
   */
  outcomePer: 'call' | 'recipient'
  /** Members of a batch, at most. */
  batchSize: number
  /** Activities that send one wave at the same time. */
  lanes: number
  /** The longest time that a try may take (ms). */
  longestTryMs: number
  /** How a turn of a conversation is sent. `token`: the person can be answered for free. */
  turnWay(token: boolean): TurnWay
  /** What all spellings of an address have in common, to tell whether two are the same. */
  addressIdentity(address: string): string
  /** Whether addresses are stored and compared without regard to case. */
  ignoresCase: boolean
}
