import type { Adapter } from '../adapter.ts'
import { compileChat } from './compile.ts'
import { compileChatTurn } from './turn.ts'
import { readChatEvent } from './webhook.ts'

/** The chat: an account of one provider. */
export const chat: Adapter<'chat'> = {
  compile: compileChat,
  compileTurn: compileChatTurn,
  callsOf: (parts) => parts,
  preview: (calls) => ({ calls }),
  withoutLinks: (parts) => parts,
  normaliseAddress: chatAddress,
  readEvent: readChatEvent,
}

/** An id of the chat provider: up to 100 printable characters without spaces; null for anything else. */
function chatAddress(text: string): string | null {
  return /^[!-~]{1,100}$/.test(text) ? text : null
}
