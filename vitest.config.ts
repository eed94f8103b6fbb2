import { defineConfig } from 'vitest/config'

/** For a test that hangs, however busy the machine is; what a test waits for has limits of its own. */
const hangs = { testTimeout: 600_000, hookTimeout: 600_000, teardownTimeout: 60_000 } as const

/** What a test polls with Vitest's own means: its limit of a second fails on a busy machine. */
const polls = { expect: { poll: { timeout: 100_000 } } } as const

const real = { pool: 'forks', globalSetup: 'test/harness/global-setup.ts' } as const

/** Full counts want the machine for themselves, so that their times can be measured. */
const full = process.env.FAULT_COUNTS === 'full'

const faults = 'test/integration/{faults,races}/**/*.test.ts'
/** Tests of what tests, demo and installations stand on: servers, harness, scripts. */
const tools = 'test/integration/{deploy,dev,harness,mailbox,simulator}/**/*.test.ts'

/**
 * unit: pure. integration: real Postgres, Temporal and HTTP. tools: the servers and scripts of tests and demo. faults: in
 * small counts, or with FAULT_COUNTS=full in full. outside: programs of others.
 */
export default defineConfig({
  test: {
    maxWorkers: 3, // most tests wait for servers, and leave two processors idle
    reporters: ['default', './test/harness/count-reporter.ts', './test/harness/slow-reporter.ts'],
    env: { NODE_ENV: 'test', TZ: 'UTC' },
    // A file loads 900 modules: those of a worker load them once. The leak check keeps files from meeting one another.
    isolate: false,
    setupFiles: ['test/harness/shared-process.ts'],
    ...hangs,
    ...polls,
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'] },
      },
      {
        extends: true,
        test: {
          ...real,
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          exclude: [faults, tools],
        },
      },
      { extends: true, test: { ...real, name: 'tools', include: [tools] } },
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
      { extends: true, test: { ...real, name: 'faults', include: [faults], fileParallelism: !full } },
    ],
  },
})
