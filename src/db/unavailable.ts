/**
 * SQLSTATE classes and codes of temporary failures: connection, shutdown, resources, timeouts, lock conflicts, and a
 * statement that was prepared before its table was migrated (its connection is closed). Not 08P01: a statement that the
 * protocol cannot carry, as one with more than 65,535 parameters, fails each time.
 */
const temporaryCodes = [/^08(?!P01)/, /^53/, /^57/, /^40/, /^55P03$/, /^0A000$/]
const systemCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']
/** Errors that node-postgres throws without a code: no free connection in time, a broken connection. */
const driverMessages = [
  /^timeout exceeded when trying to connect$/,
  /^Connection terminated/,
  /^Client has encountered/,
]

/** Whether the error means that the database is unavailable rather than a bug: a retry may help. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  if (code === undefined) return driverMessages.some((pattern) => pattern.test(error.message))
  return systemCodes.includes(code) || temporaryCodes.some((pattern) => pattern.test(code))
}
