import { existsSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { startChild, waitUntilReady } from '../../dev/process.ts'
import { logFile } from '../../dev/services.ts'
import type { BenchInstallation } from '../installation.ts'

/** Where the mails of ours and of the floor go. */
export type Sink = {
  what: string
  /** How many it has taken so far. */
  mails(): number
}

const name = 'sink'

/**
 * Starts a server that takes every mail and keeps none, where `npm start` has its mailbox: Postfix' smtp-sink, or where
 * that is not installed one of our own in Node, which bounds what it is to measure. Each writes its count to its log.
 */
export async function startSink(world: BenchInstallation): Promise<Sink> {
  const { settings, variables } = world.environment
  const port = settings.ports.smtp
  const log = logFile(settings.dataDir, name)
  const { what, ...command } = commandFor(port)
  await world.start({
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
      what: 'our own in Node, which bounds floor and ours: install Postfix for its smtp-sink',
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
