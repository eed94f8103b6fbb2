import { Client, Connection } from '@temporalio/client'

/** Our hold on Temporal. Opening it connects to nothing: the first call does, and each later one finds its way again. */
export type Temporal = {
  client: Client
  connection: Connection
  namespace: string
  /** Runs `call` with a deadline of `ms` from now; it then fails with DEADLINE_EXCEEDED. */
  within<T>(ms: number, call: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** After a lost connection the first new try comes soon, and later ones not much later. Milliseconds. */
const reconnect = {
  'grpc.initial_reconnect_backoff_ms': 200,
  'grpc.min_reconnect_backoff_ms': 200,
  'grpc.max_reconnect_backoff_ms': 2_000,
}

/** Holds the Temporal server at `address`; does not wait for it. */
export function openTemporal({ address, namespace }: { address: string; namespace: string }): Temporal {
  const connection = Connection.lazy({ address, channelArgs: reconnect })
  return {
    client: new Client({ connection, namespace }),
    connection,
    namespace,
    within: (ms, call) => connection.withDeadline(Date.now() + ms, call),
    close: () => connection.close(),
  }
}
