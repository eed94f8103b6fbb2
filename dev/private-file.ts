import { renameSync, writeFileSync } from 'node:fs'

/**
 * Writes a file that only its owner may read, as it holds secrets. A reader sees the old content or the new, never a
 * part.
 */
export function writePrivateFile(file: string, content: string): void {
  writeFileSync(`${file}.new`, content, { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
