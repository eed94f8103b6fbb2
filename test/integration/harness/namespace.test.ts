import { Client, Connection } from '@temporalio/client'
import { expect, it } from 'vitest'
import { freshNamespace } from '../../harness/namespace.ts'

it('accepts runs and search attributes at once', async () => {
  const { address, namespace } = await freshNamespace()
  const connection = await Connection.connect({ address })
  await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { CarillonUnit: 2 } })
  const client = new Client({ connection, namespace })
  const run = { taskQueue: 'carillon', workflowId: 'message/1', searchAttributes: { CarillonUnit: ['u1'] } }
  const handle = await client.workflow.start('messageIntent', run)
  expect((await handle.describe()).taskQueue).toBe('carillon')
  await connection.close()
})
