import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** What the parts of one environment share among each other and with nobody else. */
export interface Secrets {
  postgresPassword: string
  /** SECRETS_KEY: what is stored encrypted stays readable only as long as this is kept. */
  secretsKey: string
  chatChannelToken: string
  chatChannelSecret: string
  /** What events are signed with; two, as while a producer changes from one to the next. */
  eventKeys: { id: string; secret: string }[]
  /** Of the identity provider: what it knows the API by, and what it signs cookies and tokens with. */
  signIn: { clientSecret: string; cookieKey: string; signingKey: JsonWebKey }
}

/**
 * The secrets of the data folder. What is missing is made: all of it at first, later what a newer version needs.
 *
 * @throws where the file is damaged: with new secrets nobody could read what stands in the databases.
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  const kept = readKept(file)
  const secrets: Secrets = {
    postgresPassword: kept.postgresPassword ?? randomBytes(24).toString('hex'),
    secretsKey: kept.secretsKey ?? randomBytes(32).toString('base64'),
    chatChannelToken: kept.chatChannelToken ?? randomBytes(32).toString('hex'),
    chatChannelSecret: kept.chatChannelSecret ?? randomBytes(16).toString('hex'),
    eventKeys: kept.eventKeys ?? ['demo', 'demo-next'].map(newEventKey),
    signIn: kept.signIn ?? newSignIn(),
  }
  if (JSON.stringify(secrets) === JSON.stringify(kept)) return secrets
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(`${file}.new`, JSON.stringify(secrets, null, 2), { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return secrets
}

function readKept(file: string): Partial<Secrets> {
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(
      `${file} is damaged. Put a copy of it back, or begin anew: remove ${dirname(file)}, and everything in it is gone.`,
    )
  }
}

function newEventKey(id: string): { id: string; secret: string } {
  return { id, secret: randomBytes(32).toString('hex') }
}

function newSignIn(): Secrets['signIn'] {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return {
    clientSecret: randomBytes(32).toString('hex'),
    cookieKey: randomBytes(32).toString('hex'),
    signingKey: privateKey.export({ format: 'jwk' }),
  }
}
