import type { Compiled } from '../../channels/channel.ts'
import type { CanonicalMessage } from '../../contract/canonical-message.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Violation } from '../../domain/audience.ts'
import type { Channel, ChannelPlan } from '../../domain/channel-plan.ts'
import type { ChannelRegistry } from '../context.ts'

/** What each channel will send, as it is stored with the message: provider calls per locale. */
export type CompiledContent = Partial<Record<Channel, Pick<Compiled<unknown>, 'locales'>>>

/**
 * Compiles a content for every channel of a plan.
 * @throws ServiceError not_configured for a channel that this installation does not have
 */
export function compileFor(
  channels: ChannelRegistry,
  plan: ChannelPlan,
  message: { id: string; remind: boolean; messages: CanonicalMessage[] },
): { compiled: CompiledContent; violations: Violation[] } {
  const compiled: CompiledContent = {}
  const violations: Violation[] = []
  for (const name of plan.channels) {
    const channel = channels[name]
    if (!channel) throw new ServiceError('not_configured', `The channel ${name} is not set up here.`)
    const result = channel.compile({ messages: message.messages, remind: message.remind }, { m: message.id })
    compiled[name] = { locales: result.locales }
    violations.push(...result.violations)
  }
  return { compiled, violations }
}

/** Provider calls one recipient costs on a channel: those of the longer language. */
export function callsPerRecipient(compiled: CompiledContent, channel: Channel): number {
  const locales = Object.values(compiled[channel]?.locales ?? {})
  return Math.max(0, ...locales.map(({ parts }) => parts.length))
}
