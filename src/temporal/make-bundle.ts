import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

/** Writes the code of all workflows as one script to standard output; run by `bundle.ts`. */
const workflowsPath = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
const { code } = await bundleWorkflowCode({
  workflowsPath,
  // Evaluated once, instead of at the start of every run: they hold no state (test/unit/structure/imports.test.ts).
  preloadModules: [workflowsPath],
  logger: new DefaultLogger('WARN'), // to standard error
})
process.stdout.write(code)
