import { compileChat } from './chat/compile.ts'
import { compileEmail } from './email/compile.ts'

/** How each channel compiles what it carries. Pure: it needs no settings. */
export const everyChannel = { chat: { compile: compileChat }, email: { compile: compileEmail } }
