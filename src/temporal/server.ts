import type { TLSConfig } from '@temporalio/client'
import type { Config } from '../config.ts'

/** How to reach a Temporal server, and the namespace of the runs. Without `tls` nothing is encrypted. */
export type TemporalServer = {
  address: string
  namespace: string
  tls?: TLSConfig | undefined
  apiKey?: string | undefined
}

/** The server that the settings name; `readConfig` has checked that they fit together. */
export function temporalServerOf(config: Config): TemporalServer {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_API_KEY: apiKey } = config
  return { address, namespace, tls: config.TEMPORAL_TLS ? tlsOf(config) : undefined, apiKey }
}

function tlsOf(config: Config): TLSConfig {
  const { TEMPORAL_TLS_CA: ca, TEMPORAL_TLS_SERVER_NAME: name } = config
  const { TEMPORAL_TLS_CERT: certificate, TEMPORAL_TLS_KEY: key } = config
  return {
    ...(ca && { serverRootCACertificate: Buffer.from(ca) }),
    ...(name && { serverNameOverride: name }),
    ...(certificate && key && { clientCertPair: { crt: Buffer.from(certificate), key: Buffer.from(key) } }),
  }
}
