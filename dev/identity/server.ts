import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signInForm } from './form.ts'
import type { DemoPerson } from './page.ts'
import { type Client, type Keys, openProvider } from './provider.ts'
import { noTampering, type Tampering, tamperWithResponse } from './tampering.ts'

/** Port 0 selects a free one. `people` are listed as buttons; other addresses can be typed. */
export type IdentityOptions = { port: number; client: Client; keys: Keys; people: DemoPerson[] }

export type IdentityServer = {
  issuer: string
  /** Set by tests. */
  lies: Tampering
  close(): Promise<void>
}

/** Starts a real OpenID Connect provider on 127.0.0.1 that lists the demo's people. */
export async function startIdentity({
  port,
  client,
  keys,
  people,
}: IdentityOptions): Promise<IdentityServer> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lies = noTampering()
  const emails = new Map<string, string>()
  const provider = openProvider(issuer, { client, keys, emails, lies })
  const answer = provider.callback()
  const form = signInForm(provider, emails, people)

  server.on('request', async (req: IncomingMessage, res: ServerResponse) => {
    const { pathname } = new URL(req.url ?? '/', issuer)
    const broken = lies.broken[pathname]
    if (broken === 'silent') return
    if (broken !== undefined) return res.writeHead(broken).end()
    if (pathname.startsWith('/interaction/')) return form(req, res)
    forgetSession(req)
    tamperWithResponse(lies, keys.signing, req, res)
    await answer(req, res)
  })

  return {
    issuer,
    lies,
    async close() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Drops the provider's session, so that every sign-in asks for the person again: demo users switch roles. */
function forgetSession({ headers }: IncomingMessage): void {
  if (headers.cookie === undefined) return
  headers.cookie = headers.cookie.replaceAll(/_session(\.sig)?=[^;]*(; )?/g, '')
}
