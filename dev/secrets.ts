import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What the parts of one environment share among each other and with nobody else. */
export interface Secrets {
  postgresPassword: string
  /** SECRETS_KEY: what is stored encrypted stays readable only as long as this is kept. */
  secretsKey: string
  chatChannelToken: string
  chatChannelSecret: string
  eventKey: { id: string; secret: string }
}

/** The secrets of the data folder, made when it is first used. */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const secrets: Secrets = {
    postgresPassword: randomBytes(24).toString('hex'),
    secretsKey: randomBytes(32).toString('base64'),
    chatChannelToken: randomBytes(32).toString('hex'),
    chatChannelSecret: randomBytes(16).toString('hex'),
    eventKey: { id: 'demo', secret: randomBytes(32).toString('hex') },
  }
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(file, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  return secrets
}
