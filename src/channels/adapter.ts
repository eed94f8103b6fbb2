import type { Channel } from '../contract/enums.ts'
import type { Preview } from '../contract/messages/dry-run.ts'
import type { ReceivedEvent } from '../domain/event/received-event.ts'
import type { Undeliverable } from '../domain/scenario/deliverable-channels.ts'
import type { CallContent, Compiled, Parts } from './channel.ts'
import type { Origin } from './chat/taps.ts'
import type { ContentToCompile, TurnToCompile } from './content.ts'

/**
 * What every other folder knows of a channel, besides its facts (src/channels/facts) and its connection
 * (src/channels/connection.ts). Pure: it needs no settings, so that threads and the command line load it alone. Each one is
 * the `index.ts` of its folder.
 */
export type Adapter<C extends Channel> = {
  /** Compiles a message. `origin`: what its buttons belong to. */
  compile(content: ContentToCompile, origin: Origin): Compiled<C>
  /** Compiles what a turn of a conversation says, or tells why it cannot be said here. */
  compileTurn(turn: TurnToCompile): CallContent[C] | Undeliverable
  /** What the provider calls of a message carry, in order. */
  callsOf(parts: Parts[C]): CallContent[C][]
  /** What a person sees of it, without links that have an effect. `publicUrl`: of this installation, '' if it has none. */
  preview(parts: Parts[C], publicUrl: string): PreviewOf<C>
  /** The same to be sent as a test. */
  withoutLinks(parts: Parts[C], publicUrl: string): Parts[C]
  /** An address in the form that the channel uses; null if it is none. */
  normaliseAddress(text: string): string | null
  /** An event of its webhook as it is stored; null: the channel has no webhook. */
  readEvent: ((raw: unknown, receivedAt: Date) => ReceivedEvent) | null
}

type PreviewOf<C extends Channel> = Omit<
  Extract<Preview, { channel: C }>,
  'channel' | 'locale' | 'messages' | 'violations' | 'reminder'
>
