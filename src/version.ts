import { createRequire } from 'node:module'

/** The version of this installation. package.json is the only place that has it. */
export const { version } = createRequire(import.meta.url)('../package.json') as { version: string }
