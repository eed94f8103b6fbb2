import { Client, Connection } from '@temporalio/client'
import proto from '@temporalio/proto'
import { keysOf } from '../contract/enums.ts'
import { searchAttributes } from '../domain/run/temporal-names.ts'
import type { TemporalServer } from './server.ts'

/** A client of Temporal. Connects on the first call, and reconnects on later ones. */
export type Temporal = {
  client: Client
  connection: Connection
  /** The server, for the connections of workers. */
  server: TemporalServer
  namespace: string
  /** Runs `call` with a deadline of `ms` from now; it then fails with DEADLINE_EXCEEDED. */
  withDeadline<T>(ms: number, call: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** Short gRPC reconnect back-offs (ms), so that calls recover soon after an outage. */
const reconnect = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.min_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2_000,
}

/** Opens a client of a Temporal server without connecting. */
export function openTemporal(server: TemporalServer): Temporal {
  const { address, namespace, tls, apiKey } = server
  const connection = Connection.lazy({ address, tls, apiKey, channelArgs: reconnect })
  return {
    client: new Client({ connection, namespace }),
    connection,
    server,
    namespace,
    withDeadline: (ms, call) => connection.withDeadline(Date.now() + ms, call),
    close: () => connection.close(),
  }
}

/**
 * Connects to a server and asks it for the namespace, each within `ms`.
 * @throws Error if it does not answer, rejects the caller, or lacks the namespace
 */
export async function tryTemporalServer(
  { address, namespace, tls, apiKey }: TemporalServer,
  ms: number,
): Promise<void> {
  const connection = await Connection.connect({ address, tls, apiKey, connectTimeout: ms })
  try {
    await connection.withDeadline(Date.now() + ms, () =>
      connection.workflowService.describeNamespace({ namespace }),
    )
  } finally {
    await connection.close()
  }
}

/** Deadlines for listing and adding search attributes (ms). */
const deadlinesMs = { list: 1_000, add: 2_000 }

/**
 * Registers the search attributes that the namespace lacks. Required before any run starts: Temporal rejects a start
 * with an unknown attribute.
 * @throws Error with the missing attributes and the commands that add them, if Temporal does not allow it
 */
export async function registerSearchAttributes(temporal: Temporal): Promise<void> {
  const missing = await missingSearchAttributes(temporal)
  if (missing.length === 0) return
  const { connection, namespace } = temporal
  const wanted = missing.map((name) => [name, typeNumber(searchAttributes[name])])
  try {
    await temporal.withDeadline(deadlinesMs.add, () =>
      connection.operatorService.addSearchAttributes({
        namespace,
        searchAttributes: Object.fromEntries(wanted),
      }),
    )
  } catch (cause) {
    // Another worker may have added them meanwhile.
    if ((await missingSearchAttributes(temporal)).length > 0)
      throw new Error(advice(missing, namespace), { cause })
  }
}

/** The names of Carillon's search attributes that the namespace lacks. */
async function missingSearchAttributes({ connection, namespace, withDeadline }: Temporal): Promise<Name[]> {
  const { customAttributes } = await withDeadline(deadlinesMs.list, () =>
    connection.operatorService.listSearchAttributes({ namespace }),
  )
  return keysOf(searchAttributes).filter((name) => !(name in customAttributes))
}

type Name = keyof typeof searchAttributes

type Type = (typeof searchAttributes)[Name]

function typeNumber(type: Type): proto.temporal.api.enums.v1.IndexedValueType {
  return proto.temporal.api.enums.v1.IndexedValueType[`INDEXED_VALUE_TYPE_${type}`]
}

/** The names of the types on Temporal's command line. */
const typeNames: Record<Type, string> = { KEYWORD: 'Keyword', INT: 'Int', DATETIME: 'Datetime' }

function advice(missing: Name[], namespace: string): string {
  const commands = missing.map((name) => {
    const type = typeNames[searchAttributes[name]]
    return `temporal operator search-attribute create --namespace ${namespace} --name ${name} --type ${type}`
  })
  return `Temporal lacks search attributes and rejected adding them. No run starts until they exist. Add them with:\n${commands.join('\n')}`
}
