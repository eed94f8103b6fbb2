import { type Channel, channels, isOneOf } from '../contract/enums.ts'

/** What a record says of each channel that it names, in its own order: a run that is replayed takes the same steps. */
export function channelEntries<T>(record: Partial<Record<Channel, T>>): [Channel, T][] {
  return Object.entries(record).flatMap(([name, value]): [Channel, T][] =>
    isOneOf(channels, name) ? [[name, value]] : [],
  )
}
