import type { Dashboard } from '@grafana/grafana-foundation-sdk/dashboard'
import { conversations } from './conversations.ts'
import { processes } from './processes.ts'
import { sending } from './sending.ts'

/**
 * The dashboards by the name of their file in deploy/grafana, which `vitest run --project unit -u` writes. They ask for the
 * metrics of docs/operating.md.
 */
export const dashboards: Record<string, Dashboard> = { sending, conversations, processes }
