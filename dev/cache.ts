import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The folder for what is fetched or built once per machine; it outlives clones of the project. */
export function cacheFolder(): string {
  return resolve(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'carillon')
}
