import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { registerQueueMetrics } from '../../../src/metrics/rows.ts'
import { insertRows } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

it('pending and exhausted events show in the metrics', async () => {
  const registry = new Registry()
  registerQueueMetrics(database.db, registry)
  const event = (n: number, more: object) => ({
    ...{
      channel: 'chat' as const,
      event_id: String(n),
      type: 'follow',
      occurred_at: new Date(),
      payload: '{}',
    },
    ...more,
  })
  const hourAgo = new Date(Date.now() - 3_600_000)
  await insertRows(database.db, 'webhook_event', [
    event(1, {}),
    event(2, { received_at: hourAgo }),
    event(3, { received_at: hourAgo, outcome: 'blocked', done_at: hourAgo }),
    event(4, { received_at: hourAgo, outcome: 'failed', done_at: hourAgo }),
  ])
  const text = await registry.metrics()
  expect(text).toContain('carillon_webhook_events{state="overdue"} 1')
  expect(text).toContain('carillon_webhook_events{state="failed"} 1')
})
