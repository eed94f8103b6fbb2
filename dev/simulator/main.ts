import { z } from 'zod'
import { startSimulator } from './server.ts'

/** The chat simulator as a process. Prints its address, and shuts down cleanly on SIGTERM and SIGINT. */
const settings = z
  .object({
    SIMULATOR_PORT: z.coerce.number().int().min(0).max(65_535),
    SIMULATOR_DIR: z.string().min(1),
    SIMULATOR_MONTHLY_LIMIT: z.coerce.number().int().nonnegative().optional(),
    CHAT_CHANNEL_TOKEN: z.string().min(1),
    /** Where events of the phones are posted, signed with the channel secret. */
    SIMULATOR_WEBHOOK_URL: z.url().optional(),
    CHAT_CHANNEL_SECRET: z.string().min(1).optional(),
  })
  .safeParse(process.env)
if (!settings.success) {
  console.error(`The chat simulator cannot start:\n${z.prettifyError(settings.error)}`)
  process.exit(1)
}

const env = settings.data
const { SIMULATOR_WEBHOOK_URL: url, CHAT_CHANNEL_SECRET: secret } = env
const simulator = await startSimulator({
  port: env.SIMULATOR_PORT,
  dir: env.SIMULATOR_DIR,
  token: env.CHAT_CHANNEL_TOKEN,
  monthlyLimit: env.SIMULATOR_MONTHLY_LIMIT,
  webhook: url && secret ? { url, secret } : undefined,
})
console.log(`Chat simulator: ${simulator.url}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await simulator.close()
    process.exit(0)
  })
