import type { CanonicalMessage } from '../../contract/messages/content.ts'
import type { OptionTap } from './taps.ts'

/** One message of the content: its path, whether it is the last one, and the taps of its options and actions. */
export type MessagePosition = { path: string; last: boolean; tapOf: (option: string) => OptionTap }

/** A canonical message of one kind. */
export type MessageOfKind<K extends CanonicalMessage['kind']> = Extract<CanonicalMessage, { kind: K }>
