import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type Logger, type WorkflowBundleWithSourceMap } from '@temporalio/worker'

/** The code of all workflows as one script, made once per process and given to every worker in it. */
export function bundleWorkflows(logger?: Logger): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath: fileURLToPath(new URL('../workflows/index.ts', import.meta.url)),
    ...(logger && { logger }),
  })
}
