import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { progress } from '../progress.ts'

const connections = 16
const from = 'notice@campus.example.edu'

/** The least that handing over mail can cost: the same bytes to everybody, 16 connections. Mails a second. */
export async function measureFloor(port: number, bytes: Buffer, mails: number): Promise<number> {
  const sessions = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const shown = progress('floor', mails)
  let next = 0
  const begun = performance.now()
  const session = async (smtp: SMTPConnection) => {
    for (let n = next++; n < mails; n = next++) {
      await hand(smtp, `p${n}@campus.example.edu`, bytes)
      shown.to(n)
    }
  }
  await Promise.all(sessions.map(session))
  const rate = mails / ((performance.now() - begun) / 1000)
  shown.end()
  for (const smtp of sessions) smtp.quit()
  return rate
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
