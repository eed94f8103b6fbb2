import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder for files that are fetched or built once per machine; all clones of the project share it. */
export function cacheFolder(): string {
  return resolve(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'carillon')
}
