/**
 * SQLSTATE classes and codes of temporary failures: connection, shutdown, resources, timeouts, lock conflicts, a failing
 * disk (58030), a standby asked to write (25006), and a statement that was prepared before its table was migrated. The
 * connection is closed after the last two. Not 08P01: a statement that the protocol cannot carry, as one with more than
 * 65,535 parameters, fails each time.
 */
const temporaryCodes = [/^08(?!P01)/, /^53/, /^57/, /^40/, /^55P03$/, /^58030$/, /^25006$/, /^0A000$/]
/** Failures to reach the server, or to resolve its name; while it fails over, its address may lead nowhere. */
const systemCodes = [
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN'],
  ...['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL'],
]
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
