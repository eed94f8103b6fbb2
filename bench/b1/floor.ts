import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { BenchInstallation } from '../installation.ts'
import { progress } from '../progress.ts'
import { type Stopwatch, startStopwatch } from '../stopwatch.ts'

const connections = 16
const from = 'notice@campus.example.edu'

/**
 * The minimum cost of handing over mail in Node: sends prepared mails of Carillon repeatedly, to one recipient each, on
 * 16 open connections. Reads nothing from Postgres, composes no mail and stores no outcome.
 */
export async function measureFloor(
  installation: BenchInstallation,
  mails: Buffer[],
  count: number,
): Promise<Stopwatch> {
  const { smtp: port } = installation.environment.settings.ports
  const sessions = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const bar = progress('floor', count)
  let next = 0
  const lap = startStopwatch(installation)
  const session = async (smtp: SMTPConnection) => {
    for (let n = next++; n < count; n = next++) {
      await hand(smtp, `p${n}@campus.example.edu`, mails[n % mails.length]!)
      bar.to(n)
    }
  }
  await Promise.all(sessions.map(session))
  const ended = lap(count)
  bar.end()
  for (const smtp of sessions) smtp.quit()
  return ended
}

function open(port: number): Promise<SMTPConnection> {
  const smtp = new SMTPConnection({ host: '127.0.0.1', port, ignoreTLS: true })
  return new Promise((resolve, reject) => {
    smtp.once('error', reject)
    smtp.connect((error) => (error ? reject(error) : resolve(smtp)))
  })
}

function hand(smtp: SMTPConnection, to: string, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    smtp.send({ from, to, size: bytes.length }, bytes, (error) => (error ? reject(error) : resolve()))
  })
}
