import { hostname } from 'node:os'

const identityPattern = /^carillon ([0-9a-z]+) /

/** The name by which Temporal shows a worker of this process: the release of its workflows, process and host. */
export function workerIdentity(release: string): string {
  return `carillon ${release} ${process.pid}@${hostname()}`
}

/** The release in the identity of a worker; undefined if it names none, as those of earlier versions do. */
export function releaseOfIdentity(identity: string): string | undefined {
  return identityPattern.exec(identity)?.[1]
}
