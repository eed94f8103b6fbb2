import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port to listen on, and the setting that changes it. */
export interface WantedPort {
  what: string
  port: number
  setting: string
}

/**
 * Checks that all ports are free on 127.0.0.1.
 *
 * @throws Error that names every busy port with the setting that changes it
 */
export async function checkPorts(wanted: WantedPort[]): Promise<void> {
  const problems: string[] = []
  for (const { what, port, setting } of wanted) {
    const code = await tryPort(port).then(
      () => null,
      (error: NodeJS.ErrnoException) => error.code,
    )
    if (code === null) continue
    const why = code === 'EADDRINUSE' ? 'is used by another process' : `cannot be opened (${code})`
    problems.push(
      `Port ${port} (${what}) ${why}. Set ${setting} to a free port, or PORT_BASE, such as PORT_BASE=5600, to move all.`,
    )
  }
  const same = wanted.filter(({ port }, index) => wanted.findIndex((other) => other.port === port) !== index)
  for (const { port, setting } of same)
    problems.push(`Port ${port} is used twice. Set ${setting} to another port.`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/**
 * Below the ports that systems hand out by themselves (Linux: from 32768 on, others: from 49152 on): none of these goes to
 * an outgoing connection, or to a server that listens on port 0.
 */
const [lowest, highest] = [20_000, 32_767]

/**
 * A port for a server, of this process or of one that it starts, now, later, or again after a crash: the port is given to
 * no other caller on this machine until this process ends.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, highest + 1)
    if ((await keepPort(port)) && (await isFree(port))) return port
  }
}

/** Keeps a port by the UDP port of the same number, which the system frees when the process ends, however it ends. */
async function keepPort(port: number): Promise<boolean> {
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  try {
    await once(socket, 'listening')
    socket.unref()
    return true
  } catch (error) {
    socket.close()
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}

function isFree(port: number): Promise<boolean> {
  return tryPort(port).then(
    () => true,
    () => false,
  )
}

/** @throws Error with the code of the system if nobody can listen on the port */
async function tryPort(port: number): Promise<void> {
  const server = createServer().listen(port, '127.0.0.1')
  await once(server, 'listening')
  server.close()
  await once(server, 'close')
}
