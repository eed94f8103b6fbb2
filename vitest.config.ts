import { defineConfig } from 'vitest/config'

const real = {
  pool: 'forks',
  globalSetup: 'test/harness/global-setup.ts',
  hookTimeout: 120_000,
} as const

/**
 * unit: pure. integration: real Postgres, Temporal and HTTP, faults in small counts. faults: the fault tests
 * once more in full counts (`npm run test:faults`).
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', './test/harness/count-reporter.ts'],
    env: { NODE_ENV: 'test', TZ: 'UTC' },
    projects: [
      { extends: true, test: { name: 'unit', include: ['test/unit/**/*.test.ts'], testTimeout: 30_000 } },
      {
        extends: true,
        test: {
          ...real,
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          testTimeout: 60_000,
          provide: { faultCounts: 'small' },
        },
      },
      {
        extends: true,
        test: {
          ...real,
          name: 'faults',
          include: ['test/integration/{faults,races}/**/*.test.ts'],
          testTimeout: 3_600_000,
          fileParallelism: false,
          provide: { faultCounts: 'full' },
        },
      },
    ],
  },
})
