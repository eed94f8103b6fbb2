import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { cacheFolder } from './cache.ts'
import { buildWithGo } from './go-build.ts'
import { withMachineLock } from './machine-lock.ts'

/** A server of the S3 protocol that keeps objects in a folder. */
const version = 'v1.8.0'
const module = `github.com/versity/versitygw/cmd/versitygw@${version}`

/** Whether there is a Go to build it with. */
export function hasGo(): boolean {
  try {
    execFileSync('go', ['version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The command, which is built once per machine. */
export async function s3GatewayBinary(): Promise<string> {
  const target = join(cacheFolder(), `versitygw-${version}`)
  mkdirSync(cacheFolder(), { recursive: true })
  return withMachineLock(`${target}.lock`, async () => {
    const built = { what: 'S3 gateway', withoutGo: 'Install Go, with which the S3 gateway is built.' }
    if (!existsSync(target)) await buildWithGo([module], (folder) => join(folder, 'versitygw'), target, built)
    return target
  })
}
