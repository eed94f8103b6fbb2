import { z } from 'zod'

const whole = z.coerce.number().int()
const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https address' })
const flagOrList = z.string().transform((text) => (text === 'true' ? true : text === 'false' ? false : text))

/** Every setting, read from the environment once (.env.example says what each is for; a test holds the two together). */
export const Settings = z.object({
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// address' }),
  DB_POOL_SIZE: whole.min(2).max(500).default(20),
  TEMPORAL_ADDRESS: z
    .string()
    .regex(/^[^\s/]+:\d+$/, 'must be host:port')
    .default('127.0.0.1:7233'),
  TEMPORAL_NAMESPACE: z.string().default('default'),
  HOST: z.string().default('127.0.0.1'),
  PORT: whole.min(0).max(65_535).default(3000),
  METRICS_PORT: whole.min(0).max(65_535).optional(),
  TRUST_PROXY: flagOrList.default(false),
  CHAT_BASE_URL: webUrl.default('https://api.line.me'),
  CHAT_CHANNEL_TOKEN: z.string().optional(),
  QUOTA_TIME_ZONE: z.string().refine(isTimeZone, 'must be the name of a time zone').default('Asia/Taipei'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
})
export type Config = z.output<typeof Settings>

/**
 * The configuration of this process. An empty value is as good as none.
 * @throws Error that names every setting at fault, and never a value
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const result = Settings.safeParse(given)
  if (result.success) return result.data
  const faults = result.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`)
  throw new Error(`The configuration cannot be used (see .env.example):\n${faults.join('\n')}`)
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
