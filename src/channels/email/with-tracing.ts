import { inSpan } from '../../tracing/spans.ts'
import type { Mailer } from './send.ts'

/** A mailer that records a span for the mails that go on one session, with their number by outcome. */
export function mailWithTracing(mailer: Mailer): Mailer {
  return {
    ...mailer,
    send(mails, mayBegin) {
      const attributes = { 'carillon.channel': 'email', 'carillon.mails': mails.length }
      return inSpan('email send', { kind: 'client', attributes }, async (span) => {
        const outcomes = await mailer.send(mails, mayBegin)
        const counts = Map.groupBy(outcomes, ({ kind }) => kind)
        span?.set(Object.fromEntries([...counts].map(([kind, of]) => [`carillon.mails.${kind}`, of.length])))
        return outcomes
      })
    },
  }
}
