import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { type Markup, textOf } from '../../src/html/markup.ts'
import { type DemoPerson, failurePage, signInPage } from './page.ts'
import { accountOf } from './provider.ts'

const bodyBytes = 4_096

/** The sign-in page. Accepts any e-mail address without checking a password. */
export function signInForm(provider: Provider, emails: Map<string, string>, people: DemoPerson[]) {
  return async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    try {
      await provider.interactionDetails(req, res)
    } catch {
      return show(
        res,
        400,
        failurePage(
          'This sign-in has expired or was started in another browser. Go back to Carillon and sign in again.',
        ),
      )
    }
    const email = req.method === 'POST' ? await emailIn(req) : null
    if (email === null) return show(res, 200, signInPage(people, readsEnglish(req)))
    const accountId = accountOf(email)
    emails.set(accountId, email)
    await provider.interactionFinished(req, res, { login: { accountId, remember: false } })
  }
}

/** The email of the chosen person (`email`) or as typed (`login`); null if there is none. */
async function emailIn(req: IncomingMessage): Promise<string | null> {
  let body = ''
  for await (const chunk of req) {
    body += chunk
    if (body.length > bodyBytes) return null
  }
  const form = new URLSearchParams(body)
  const email = (form.get('login') ?? form.get('email') ?? '').trim()
  return /^[^\s@]+@[^\s@]+$/.test(email) ? email : null
}

/** Chooses the language by the browser, as the person is not known yet. */
function readsEnglish({ headers }: IncomingMessage): boolean {
  return /\b(zh|en)\b/i.exec(headers['accept-language'] ?? '')?.[1]?.toLowerCase() === 'en'
}

function show(res: ServerResponse, status: number, page: Markup): void {
  res
    .writeHead(status, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
    .end(textOf(page))
}
