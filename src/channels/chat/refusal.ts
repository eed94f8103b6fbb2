import { z } from 'zod'

/**
 * A refusal: its reason, and for some the property at fault
 * (https://developers.line.biz/en/reference/messaging-api/#error-responses).
 */
export const Refusal = z.object({
  message: z.string(),
  details: z.array(z.object({ message: z.string().optional(), property: z.string().optional() })).optional(),
})
export type Refusal = z.infer<typeof Refusal>

/**
 * Which addresses of the call a refusal names as its reason: in a detail's property (`to[3]`) or in the message
 * (`The property, 'to[3]', in the request body is invalid`). A bare `to` names the one recipient of a push.
 */
export function namedRecipients(to: string[], { message, details = [] }: Refusal): string[] {
  const quoted = [...message.matchAll(/'([^']*)'/g)].map(([, property]) => property)
  const properties = [...quoted, ...details.map(({ property }) => property)]
  const named = properties.flatMap((property = '') => {
    if (property === 'to' && to.length === 1) return to
    const index = /^to\[(\d+)\]$/.exec(property)?.[1]
    return index === undefined ? [] : to.slice(Number(index), Number(index) + 1)
  })
  return [...new Set(named)]
}
