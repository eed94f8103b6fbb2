import { generateKeyPairSync, type JsonWebKey, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writePrivateFile } from './private-file.ts'

/** The secrets shared by the processes of one environment. */
export interface Secrets {
  postgresPassword: string
  /** SECRETS_KEY. Losing it makes encrypted data unreadable. */
  secretsKey: string
  chatChannelToken: string
  chatChannelSecret: string
  /** The signing keys of events; two, as during a key rotation. */
  eventKeys: { id: string; secret: string }[]
  /** Of the identity provider: the API's client secret, and its keys for cookies and tokens. */
  signIn: { clientSecret: string; cookieKey: string; signingKey: JsonWebKey }
}

/**
 * Loads the secrets of the data folder and creates missing ones: all at the first start, later those that a newer
 * version needs.
 *
 * @throws Error if the file is damaged: with new secrets, the databases would be unreadable
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
  writePrivateFile(file, JSON.stringify(secrets, null, 2))
  return secrets
}

function readKept(file: string): Partial<Secrets> {
  if (!existsSync(file)) return {}
  const text = readFileSync(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(
      `${file} is damaged. Restore it from a backup, or delete ${dirname(file)} with all its data to start over.`,
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
