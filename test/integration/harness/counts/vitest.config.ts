import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Runs examples of tests with every possible end, for the reporter that counts them. */
export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.example.ts'],
    reporters: [join(import.meta.dirname, '../../../harness/count-reporter.ts')],
  },
})
