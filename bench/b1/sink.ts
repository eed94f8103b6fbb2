import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { startChild, waitUntilReady } from '../../dev/process.ts'
import { logFile } from '../../dev/services.ts'
import type { BenchInstallation } from '../installation.ts'

/** The server that receives the mails of both sides. */
export type Sink = {
  what: string
  /** The number of mails accepted so far. */
  mails(): number
}

const name = 'sink'

/**
 * Starts a server that accepts and discards every mail, on the mailbox' port: Postfix' smtp-sink, or if that is not
 * installed a sink in Node, which bounds the figures. Both write their count to their log.
 */
export async function startSink(installation: BenchInstallation): Promise<Sink> {
  const { settings, variables } = installation.environment
  const port = settings.ports.smtp
  const log = logFile(settings.dataDir, name)
  const { what, ...command } = commandFor(port)
  await installation.start({
    name,
    start: () => startChild({ name, ...command, env: variables, logFile: log }),
    ready: (child) => waitUntilReady(child, () => answers(port), 30_000),
    stopSignal: 'SIGTERM',
    graceMs: 5_000,
  })
  return {
    what,
    mails: () =>
      Number(
        readFileSync(log, 'latin1')
          .match(/mesg=\d+/g)
          ?.at(-1)
          ?.slice(5) ?? 0,
      ),
  }
}

function commandFor(port: number): { what: string; command: string; args: string[] } {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const smtpSink = folders.map((folder) => join(folder, 'smtp-sink')).find(existsSync)
  if (!smtpSink)
    return {
      what: 'a sink in Node, which bounds both figures: install Postfix for its smtp-sink',
      ...{ command: process.execPath, args: [join(import.meta.dirname, 'node-sink.ts'), String(port)] },
    }
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  return { what: 'smtp-sink', command: smtpSink, args: ['-c', ...user, `127.0.0.1:${port}`, '128'] }
}

function answers(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => resolve(void socket.destroy()))
    socket.once('error', reject)
  })
}
