import { z } from 'zod'
import { demoStaff } from '../demo/staff.ts'
import { loadSecrets } from '../secrets.ts'
import { startIdentity } from './server.ts'

/** The demo's identity provider as a process. Prints its address, and shuts down cleanly on SIGTERM and SIGINT. */
const settings = z
  .object({
    SIGN_IN_PORT: z.coerce.number().int().min(0).max(65_535),
    CARILLON_DATA_DIR: z.string().min(1),
    PUBLIC_URL: z.url(),
    OIDC_CLIENT_ID: z.string(),
    OIDC_CLIENT_SECRET: z.string(),
  })
  .safeParse(process.env)
if (!settings.success) {
  console.error(`The identity provider cannot start:\n${z.prettifyError(settings.error)}`)
  process.exit(1)
}

const { SIGN_IN_PORT: port, PUBLIC_URL, OIDC_CLIENT_ID: id, OIDC_CLIENT_SECRET: secret } = settings.data
const { signIn } = loadSecrets(settings.data.CARILLON_DATA_DIR)
const identity = await startIdentity({
  port,
  client: { id, secret, redirectUri: `${PUBLIC_URL}/v1/auth/callback` },
  keys: { signing: signIn.signingKey, cookies: signIn.cookieKey },
  people: demoStaff,
})
console.log(`Identity provider: ${identity.issuer}`)

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  process.once(signal, async () => {
    await identity.close()
    process.exit(0)
  })
