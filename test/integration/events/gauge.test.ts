import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { registerQueueMetrics } from '../../../src/metrics/rows.ts'
import { insertRows } from '../../fixtures/rows.ts'
import { freshDatabase } from '../../harness/database.ts'
import { forFile } from '../../harness/for-file.ts'

const database = forFile(freshDatabase)

it('pending events and internal errors show in the metrics', async () => {
  const at = (minutesAgo: number) => new Date(Date.now() - minutesAgo * 60_000)
  const event = (event_id: string, minutesAgo: number, error: 'internal' | 'no_binding' | null) => ({
    ...{ source: 'sis', event_id, type: 'x', occurred_at: at(0), subject_uids: [], data: '{}', key_id: 'k' },
    ...{ received_at: at(minutesAgo), next_try_at: at(0), error },
  })
  const events = [event('late', 2, null), event('new', 0, null), event('fault', 9, 'internal')]
  await insertRows(database.db, 'event', [...events, event('unbound', 9, 'no_binding')])

  const registry = new Registry()
  registerQueueMetrics(database.db, registry)
  const text = await registry.metrics()
  expect(text).toContain('carillon_events{state="overdue"} 1')
  expect(text).toContain('carillon_events{state="failed"} 1')
})
