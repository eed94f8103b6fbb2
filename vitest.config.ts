import { defineConfig } from 'vitest/config'

/** For a test that hangs, however busy the machine is; what a test waits for has limits of its own. */
const hangs = { testTimeout: 600_000, hookTimeout: 600_000, teardownTimeout: 60_000 } as const

const real = { pool: 'forks', globalSetup: 'test/harness/global-setup.ts' } as const

/**
 * unit: pure. integration: real Postgres, Temporal and HTTP, faults in small counts. faults: the fault tests
 * once more in full counts (`npm run test:faults`).
 */
export default defineConfig({
  test: {
    maxWorkers: 3, // most tests wait for servers, and leave two processors idle
    reporters: ['default', './test/harness/count-reporter.ts'],
    env: { NODE_ENV: 'test', TZ: 'UTC' },
    ...hangs,
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'] } },
      {
        extends: true,
        test: { ...real, name: 'integration', include: ['test/integration/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          ...real,
          name: 'outside',
          include: ['test/outside/**/*.test.ts'],
          fileParallelism: false,
          env: { FAULT_COUNTS: 'full' },
        },
      },
      {
        extends: true,
        test: {
          ...real,
          name: 'faults',
          include: ['test/integration/{faults,races}/**/*.test.ts'],
          fileParallelism: false,
          env: { FAULT_COUNTS: 'full' },
        },
      },
    ],
  },
})
