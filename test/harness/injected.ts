import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { port: number; password: string }
    /** The database from which the others are cloned; it must have no connections. */
    templateDatabase: string
    temporalAddress: string
    /** The `temporal` command, for tests that need a server of their own. */
    temporalBinary: string
    /** A folder for logs and data, deleted after the run. */
    scratch: string
  }
}
