import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'

/** How to run a command as a user that Postgres accepts: it refuses to run as root. */
export interface Runner {
  /** Put before the command. */
  prefix: string[]
  /** Options of spawn, if no prefix changes the user. */
  as: Partial<Owner>
  /** The required owner of its files; undefined: the current user. */
  owner?: Owner
}

interface Owner {
  uid: number
  gid: number
}

/**
 * How to run Postgres on this machine. An ordinary user runs it directly. Root runs it as the user `nobody`, with
 * `setpriv` if that works: it lets the process traverse folders that only root may enter, such as /root.
 */
export function unprivilegedRunner(): Runner {
  if (process.getuid?.() !== 0) return { prefix: [], as: {} }
  const owner = { uid: idOfNobody('-u'), gid: idOfNobody('-g') }
  const prefix = [
    'setpriv',
    `--reuid=${owner.uid}`,
    `--regid=${owner.gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup', // otherwise access(2) ignores the capability
  ]
  const works = spawnSync(prefix[0]!, [...prefix.slice(1), 'true']).status === 0
  return works ? { prefix, as: {}, owner } : { prefix: [], as: owner, owner }
}

/** Creates a folder owned by the runner's user and closed to others, as Postgres requires. */
export function ownFolder(folder: string, { owner }: Runner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (owner) chownSync(folder, owner.uid, owner.gid)
}

function idOfNobody(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}
