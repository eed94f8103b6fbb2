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
      `Port ${port} (${what}) ${why}. Set ${setting} to a free port, e.g. ${setting}=${port + 1000}.`,
    )
  }
  const same = wanted.filter(({ port }, index) => wanted.findIndex((other) => other.port === port) !== index)
  for (const { port, setting } of same)
    problems.push(`Port ${port} is used twice. Set ${setting} to another port.`)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** A port that is free now. */
export function freePort(): Promise<number> {
  return tryPort(0)
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : port))
    })
  })
}
