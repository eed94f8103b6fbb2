import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

/** Writes the code of all workflows as one script to standard output; run by `bundle.ts`. */
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
  logger: new DefaultLogger('WARN'), // to standard error
})
process.stdout.write(code)
