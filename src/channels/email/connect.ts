import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { inSpan } from '../../tracing/spans.ts'
import type { ChannelHealth } from '../channel.ts'
import type { ConnectionDeps, Connector } from '../connection.ts'
import { dkimSigner } from './dkim.ts'
import type { LinkSigner } from './links.ts'
import { createMailSender } from './mailing.ts'
import { type Mailer, openMailer } from './send.ts'

/** The server that takes the mail by SMTP. */
export const emailConnector: Connector<'email'> = {
  setting: 'SMTP_HOST',
  connect(config, deps) {
    const { SMTP_HOST: host, SMTP_PORT, SMTP_SECURITY, SMTP_USER: user } = config
    if (!host || !config.MAIL_FROM || !deps.links) return undefined
    const mailer = openServer(host, config, deps)
    const send = createMailSender(mailer, identityOf(config, deps.links))
    return {
      sender: { outcomePer: 'recipient', send },
      health: (patienceMs) => Promise.race([mailer.health(), silence(patienceMs)]),
      provider: `${host}:${SMTP_PORT} (${SMTP_SECURITY})${user ? ` as ${user}` : ''}`,
      close: async () => mailer.close(),
    }
  },
}

/** A mail server that is silent for this long counts as disconnected (ms). A slice must end within a minute of it. */
const serverTimeoutMs = 30_000

function openServer(host: string, config: Config, { mayStart, observe }: ConnectionDeps): Mailer {
  const { SMTP_PORT: port, SMTP_SECURITY: security, SMTP_USER: user, SMTP_PASSWORD: password } = config
  const login = user && password ? { login: { user, password } } : {}
  const { SMTP_RATE: perSecond } = config
  const rate = { account: `mail ${user ?? ''}@${host}:${port}`, endpoint: 'send' }
  const mayStartMail = perSecond ? () => mayStart({ ...rate, perSecond }) : undefined
  const server = { host, port, security, timeoutMs: serverTimeoutMs, ...login }
  return mailWithTracing(openMailer(server, config.MAIL_FROM!.address, mayStartMail, observe))
}

/** `readConfig` has checked that the settings of mail are complete. */
function identityOf(config: Config, links: LinkSigner) {
  const { MAIL_FROM, PUBLIC_URL, DKIM_DOMAIN: domain, DKIM_SELECTOR: selector } = config
  const privateKey = config.DKIM_PRIVATE_KEY
  const dkim = domain && selector && privateKey ? dkimSigner({ domain, selector, privateKey }) : undefined
  return { from: MAIL_FROM!, publicUrl: PUBLIC_URL!, links, dkim }
}

async function silence(ms: number): Promise<ChannelHealth> {
  await sleep(ms, undefined, { ref: false })
  return { state: 'unavailable', code: 'timeout' }
}

/** A mailer that records a span for the mails that go on one session, with their number by outcome. */
function mailWithTracing(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send(mails, mayBegin) {
      const attributes = { 'carillon.channel': 'email', 'carillon.mails': mails.length }
      return inSpan('email send', { kind: 'client', attributes }, async (span) => {
        const outcomes = await mailer.send(mails, mayBegin)
        const counts = Map.groupBy(outcomes, ({ kind }) => kind)
        span?.set(Object.fromEntries([...counts].map(([kind, of]) => [`carillon.mails.${kind}`, of.length])))
        return outcomes
      })
    },
  }
}
