import type { Config } from '../config.ts'
import { type Channel, channels } from '../contract/enums.ts'
import { chatConnector } from './chat/connect.ts'
import type { Connection, ConnectionDeps, Connector, Senders } from './connection.ts'
import { emailConnector } from './email/connect.ts'
import { adapters, type ChannelRegistry } from './index.ts'

/** How each channel is connected. */
export const connectors: { [C in Channel]: Connector<C> } = { chat: chatConnector, email: emailConnector }

/** The channels of a process that have a provider. */
export type Connections = { [C in Channel]?: Connection<C> }

/** Connects every channel that the settings name, on demand. */
export function connectChannels(config: Config, deps: ConnectionDeps): Connections {
  return byChannel((channel) => connectors[channel].connect(config, deps)) as Connections
}

/** The channels that are connected. */
export function registryOf(connections: Connections): ChannelRegistry {
  return byChannel((channel) => connections[channel] && adapters[channel]) as ChannelRegistry
}

/** By what each of them sends. */
export function sendersOf(connections: Connections): Senders {
  return byChannel((channel) => connections[channel]?.sender) as Senders
}

/** What there is of each channel. */
function byChannel<Value>(of: (channel: Channel) => Value | undefined): Partial<Record<Channel, Value>> {
  const entries = channels.map((channel) => [channel, of(channel)] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
