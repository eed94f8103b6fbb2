import { randomBytes } from 'node:crypto'
import { Connection } from '@temporalio/client'
import { msToTs } from '@temporalio/common/lib/time.js'
import { inject } from 'vitest'
import './injected.ts'

/**
 * Creates a Temporal namespace for one test file, so that files share a server and task queues, workflow ids and search
 * attributes keep their real names.
 */
export async function freshNamespace(): Promise<{ address: string; namespace: string }> {
  const address = inject('temporalAddress')
  const namespace = `test-${randomBytes(6).toString('hex')}`
  const connection = await Connection.connect({ address })
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    })
  } finally {
    await connection.close()
  }
  return { address, namespace }
}
