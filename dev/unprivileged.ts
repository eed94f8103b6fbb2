import { execFileSync, spawnSync } from 'node:child_process'
import { chownSync, mkdirSync } from 'node:fs'

/** A way to run a command as somebody Postgres accepts: it refuses to run as root. */
export interface Runner {
  /** Goes before the command. */
  prefix: string[]
  /** For spawn, where no prefix changes the user. */
  as: Partial<Owner>
  /** Whom its files must belong to; undefined: whoever makes them. */
  owner?: Owner
}

interface Owner {
  uid: number
  gid: number
}

/**
 * How to run Postgres here. An ordinary user runs it as it is. Root runs it as `nobody`, by `setpriv` where that
 * works: it lets the process pass folders only root may enter, such as /root or one made by mktemp.
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
    '--securebits=+no_setuid_fixup', // else access(2) asks as if the capability were not there
  ]
  const works = spawnSync(prefix[0]!, [...prefix.slice(1), 'true']).status === 0
  return works ? { prefix, as: {}, owner } : { prefix: [], as: owner, owner }
}

/** Makes a folder that belongs to whoever the runner runs as, closed to others: Postgres insists on both. */
export function ownFolder(folder: string, { owner }: Runner): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (owner) chownSync(folder, owner.uid, owner.gid)
}

function idOfNobody(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }))
}
