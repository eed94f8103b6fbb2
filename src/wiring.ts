import type { Logger } from 'pino'
import { type ChatClient, connectChat } from './channels/chat/client.ts'
import { compileChat } from './channels/chat/compile.ts'
import type { Config } from './config.ts'
import { connect } from './db/connect.ts'
import { createLogger } from './log.ts'
import { createPoke } from './runs/poke.ts'
import { createReach, type Reach } from './runs/reach.ts'
import { registerSearchAttributes } from './runs/search-attributes.ts'
import { openTemporal, type Temporal } from './runs/temporal.ts'
import type { Services } from './services/context.ts'

/** A caller hears of an exhausted pool within two seconds; this leaves some for the answer (ms). */
const acquireTimeoutMs = 1_500

/** What a process of Carillon is made of. */
export type Wiring = {
  services: Services
  temporal: Temporal
  reach: Reach
  /** Undefined where no token for the chat provider is configured. */
  chat: ChatClient | undefined
  /** Ends every connection; for the very end of a process. */
  close(): Promise<void>
}

/** Joins the parts for one process. Connects to nothing yet: whatever is down may come later. */
export function wire(config: Config, processName: 'api' | 'worker' | 'cli'): Wiring {
  const log = createLogger(processName, config.LOG_LEVEL)
  const db = openDatabase(config, processName, log)
  const temporal = openTemporal({ address: config.TEMPORAL_ADDRESS, namespace: config.TEMPORAL_NAMESPACE })
  const reach = createReach(() => registerSearchAttributes(temporal), log)
  const chat = openChat(config)
  const services: Services = {
    db,
    poke: createPoke({ db, temporal, reach, log }),
    channels: chat ? { chat: { compile: compileChat } } : {},
    quotaTimeZone: config.QUOTA_TIME_ZONE,
    log,
  }
  const close = async () => {
    await Promise.all([chat?.close(), temporal.close(), db.destroy()])
  }
  return { services, temporal, reach, chat, close }
}

function openDatabase(config: Config, processName: string, log: Logger) {
  const options = {
    poolSize: config.DB_POOL_SIZE,
    acquireTimeoutMs,
    applicationName: `carillon-${processName}`,
  }
  return connect(config.DATABASE_URL, options, (err) => log.warn({ err }, 'a database connection was lost'))
}

function openChat({ CHAT_BASE_URL, CHAT_CHANNEL_TOKEN }: Config): ChatClient | undefined {
  return CHAT_CHANNEL_TOKEN ? connectChat({ baseUrl: CHAT_BASE_URL, token: CHAT_CHANNEL_TOKEN }) : undefined
}
