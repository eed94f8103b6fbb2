import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { History } from '@temporalio/common/lib/proto-utils.js'

export type RecordedHistory = { path: string; history: History }

// The SDK's reader of such files uses a copy of protobufjs other than the one of Temporal's types.
const require = createRequire(createRequire(import.meta.url).resolve('@temporalio/proto'))
const { fromJson } = require('protobufjs/ext/protojson.js')
const { patchProtobufRoot } = require('@temporalio/proto/lib/patch-protobuf-root')
const historyType = patchProtobufRoot(require('@temporalio/proto')).lookupType(
  'temporal.api.history.v1.History',
)

/** Every history in test/histories/recorded, by its path. */
export function loadHistories(): RecordedHistory[] {
  const folder = join(import.meta.dirname, 'recorded')
  return readdirSync(folder).map((file) => ({
    path: file.replace(/\.json$/, ''),
    history: parseHistory(readFileSync(join(folder, file), 'utf8')),
  }))
}

/** A history in the Temporal UI's download format. @throws Error if it is none */
export function parseHistory(text: string): History {
  return fromJson(historyType, JSON.parse(text))
}

/** The texts of every payload in a history: what a reader of Temporal's store can see. */
export function payloadsOf(value: unknown): string[] {
  if (value instanceof Uint8Array) return [Buffer.from(value).toString()]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(payloadsOf)
}
