import type { Channel } from '../contract/enums.ts'
import type { Adapter } from './adapter.ts'
import { chat } from './chat/index.ts'
import { email } from './email/index.ts'

/** Every channel; a further one is an entry here and a folder (CONTRIBUTING.md, Recipes). */
export const adapters: { [C in Channel]: Adapter<C> } = { chat, email }

/** The channels of an installation. Plans with others are refused at dry-run and submit. */
export type ChannelRegistry = { [C in Channel]?: Adapter<C> }
