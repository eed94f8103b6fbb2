import type { Adapter } from '../adapter.ts'
import { chatAddress } from './address.ts'
import { compileChat } from './compile.ts'
import { compileChatTurn } from './turn.ts'
import { readChatEvent } from './webhook.ts'

/** The chat: an account of one provider. */
export const chat: Adapter<'chat'> = {
  compile: compileChat,
  compileTurn: compileChatTurn,
  callsOf: (parts) => parts,
  preview: (calls) => ({ calls }),
  textOf: null,
  withoutLinks: (parts) => parts,
  normaliseAddress: chatAddress,
  readEvent: readChatEvent,
}
