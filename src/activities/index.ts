import type { Channel } from '../domain/channel-plan.ts'
import type { LookActivities } from './look.ts'
import type { OperatorActivities } from './operator.ts'

export type MainActivities = LookActivities &
  OperatorActivities & {
    start(messageId: string): Promise<{ started: boolean }>
    writeRows(waveId: string): Promise<void>
    finish(messageId: string): Promise<{ more: boolean; closed: boolean }>
  }
export type ChannelActivities = {
  sendSlice(waveId: string, channel: Channel): Promise<{ more: boolean; waitMs: number; counts: unknown }>
  express(messageId: string, channel: Channel): Promise<{ more: boolean; waitMs: number; closed: boolean }>
}
