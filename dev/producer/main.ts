import { z } from 'zod'
import { startProducer } from './server.ts'

/** The demo's producer as a process. Prints its address, and shuts down cleanly on SIGTERM and SIGINT. */
const settings = z
  .object({
    PRODUCER_PORT: z.coerce.number().int().min(0).max(65_535),
    PRODUCER_DIR: z.string().min(1),
    /** As Carillon's: `id:secret`, separated by commas. */
    EVENT_SIGNING_KEYS: z.string().min(1),
  })
  .safeParse(process.env)
if (!settings.success) {
  console.error(`The producer cannot start:\n${z.prettifyError(settings.error)}`)
  process.exit(1)
}

const { PRODUCER_PORT: port, PRODUCER_DIR: dir, EVENT_SIGNING_KEYS } = settings.data
const keys = new Map(
  EVENT_SIGNING_KEYS.split(',').map((key): [string, string] => {
    const [id = '', secret = ''] = key.split(/:(.*)/s)
    return [id, secret]
  }),
)
const producer = await startProducer({ port, dir, keys })
console.log(`Producer: ${producer.url}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await producer.close()
    process.exit(0)
  })
