import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const harness = join(import.meta.dirname, '../../../harness')

/** Runs examples of files that leave something behind, with the check that fails them. */
export default defineConfig({
  test: {
    dir: import.meta.dirname,
    include: ['*.example.ts'],
    isolate: false,
    setupFiles: [join(harness, 'shared-process.ts')],
    reporters: [join(harness, 'count-reporter.ts')],
  },
})
