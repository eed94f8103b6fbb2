/** The header that makes a create safe to repeat, with a key of its own if the caller has none. */
export function idempotent({
  idempotencyKey = crypto.randomUUID(),
}: {
  idempotencyKey?: string | undefined
}) {
  return { 'idempotency-key': idempotencyKey }
}
