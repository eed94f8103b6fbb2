import 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { port: number; password: string }
    /** The database every other is cloned from; nobody connects to it. */
    templateDatabase: string
    temporalAddress: string
    /** The `temporal` command, for tests that need a server of their own. */
    temporalBinary: string
    /** A folder that is gone after the run, for logs and data. */
    scratch: string
  }
}
