import { type Channel, channels, isOneOf } from '../../contract/enums.ts'

/** The entries of a record by channel, in its own order, so that a replayed run takes the same steps. */
export function channelEntries<T>(record: Partial<Record<Channel, T>>): [Channel, T][] {
  return Object.entries(record).flatMap(([name, value]): [Channel, T][] =>
    isOneOf(channels, name) ? [[name, value]] : [],
  )
}
