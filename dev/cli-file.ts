import { join } from 'node:path'
import type { Environment } from './environment.ts'
import { writePrivateFile } from './private-file.ts'

/**
 * Writes cli.env to the data folder: the settings of the demo's processes as a shell reads them, so that the command line
 * acts on the same installation. Readable by its owner only, as it contains secrets.
 */
export function writeCliFile({ settings, variables }: Environment): void {
  const own = Object.entries(variables).filter(([name, value]) => value !== process.env[name])
  const lines = own.map(([name, value = '']) => `${name}=${quoted(value)}`)
  const file = join(settings.dataDir, 'cli.env')
  writePrivateFile(file, `${lines.join('\n')}\n`)
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", `'\\''`)}'`
}
