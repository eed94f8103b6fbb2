import type { Compiled } from '../../channels/channel.ts'
import { ServiceError } from '../../contract/errors.ts'
import type { Violation } from '../../domain/audience.ts'
import type { Channel } from '../../domain/channel-plan.ts'
import type { ChannelRegistry, ContentToCompile } from '../context.ts'

/** What each channel will send, as it is stored with the message: provider calls per locale. */
export type CompiledContent = Partial<Record<Channel, Pick<Compiled<unknown>, 'locales'>>>

/**
 * Compiles a content for these channels. What several channels find wrong in the same place is said once.
 * @throws ServiceError not_configured for a channel that this installation does not have
 */
export function compileFor(
  channels: ChannelRegistry,
  names: readonly Channel[],
  { id, ...content }: ContentToCompile & { id: string },
): { compiled: CompiledContent; violations: Violation[] } {
  const compiled: CompiledContent = {}
  const violations = new Map<string, Violation>()
  for (const name of names) {
    const channel = channels[name]
    if (!channel) throw new ServiceError('not_configured', `The channel ${name} is not set up here.`)
    const result = channel.compile(content, { m: id })
    compiled[name] = { locales: result.locales }
    for (const violation of result.violations)
      violations.set(`${violation.path} ${violation.code}`, violation)
  }
  return { compiled, violations: [...violations.values()] }
}

/** Provider calls one recipient costs on a channel: those of the longer language. */
export function callsPerRecipient(compiled: CompiledContent, channel: Channel): number {
  const locales = Object.values(compiled[channel]?.locales ?? {})
  return Math.max(0, ...locales.map(({ parts }) => parts.length))
}
