import type { Command } from 'commander'
import { ServiceError } from '../contract/errors.ts'
import { checkInvariants, type Finding } from '../db/queries/doctor/doctor.ts'
import { findEndpointsWithoutKey } from '../db/queries/lookup/endpoint.ts'
import { findHashKey } from '../db/queries/subject/suppression.ts'
import { allRunKinds, runKinds, workflowIdOf } from '../domain/run/run-kinds.ts'
import { addressHasher, hashKeyContext } from '../services/address-hash.ts'
import { countSealed } from '../services/reseal-secrets.ts'
import { secretBoxOf } from '../services/secret-box.ts'
import { type CommandContext, withDatabase } from './command.ts'
import { exitCodes } from './errors.ts'
import { formatColumns } from './table.ts'

/** `carillon doctor` */
export function addDoctor(program: Command): void {
  program
    .command('doctor')
    .description(
      'check the invariants; exits with 1 if one is violated. Warnings about settings go to stderr',
    )
    .option('--settings', 'try each connection that the settings name instead; changes nothing anywhere')
    .action(
      withDatabase(async (context, { settings }: { settings?: true }) => {
        if (settings) return answerChecks(context)
        const warnings = [
          ...context.config.warnings,
          ...(await keyWarnings(context)),
          ...(await sealWarnings(context)),
          ...(await lookupWarnings(context)),
        ]
        for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`)
        answerFindings(context, await checkInvariants(context.db))
      }),
    )
}

/** Loaded only here: it brings the clients of all connections with it. */
async function answerChecks({ db, config, answer }: CommandContext): Promise<void> {
  const { checkConnections } = await import('./check-settings.ts')
  for (const warning of config.warnings) process.stderr.write(`warning: ${warning}\n`)
  const checks = await checkConnections({ db, config })
  const words = { ok: 'ok', failed: 'FAILED', not_configured: '-' }
  answer(checks, formatColumns(checks.map(({ name, state, text }) => [words[state], name, text])))
  // An attempt that is still waiting, as for a silent mail server, would keep the process for half a minute.
  process.exit(checks.some(({ state }) => state === 'failed') ? exitCodes.failed : 0)
}

/** Whether this SECRETS_KEY opens the key of suppressed addresses; in production, whether that is sealed. */
async function keyWarnings({ db, config }: CommandContext): Promise<string[]> {
  const { sealed } = await findHashKey(db)
  if (!sealed && config.NODE_ENV !== 'production') return []
  if (!sealed)
    return ['The key of suppressed addresses is not sealed. Run `carillon migrate` with SECRETS_KEY.']
  return addressHasher(db, secretBoxOf(config)).then(
    () => [],
    (error: unknown) => {
      if (error instanceof ServiceError) return [error.message]
      throw error
    },
  )
}

/** Whether a change of SECRETS_KEY is not complete, or secrets are lost. */
async function sealWarnings({ db, config }: CommandContext): Promise<string[]> {
  const secrets = secretBoxOf(config)
  if (!secrets) return []
  const { earlier, unreadable } = await countSealed(db, secrets)
  const owners = unreadable.filter((of) => of !== hashKeyContext)
  return [
    ...(earlier > 0
      ? [
          `${earlier} secrets are sealed with an earlier key, or without a key id. Run \`carillon secrets reseal\`.`,
        ]
      : []),
    ...(owners.length > 0
      ? [
          `No key opens the secrets of ${owners.length} callbacks or signing keys. Add theirs to SECRETS_KEYS_ACCEPTED.`,
        ]
      : []),
  ]
}

/** Endpoints that are named in a warning; the others are counted. */
const endpointsShown = 5

/**
 * Whether there are Lookup endpoints whose signing key is gone. Without any key in the settings, only production counts:
 * elsewhere the command line may have fewer settings than the processes.
 */
async function lookupWarnings({ db, config }: Pick<CommandContext, 'db' | 'config'>): Promise<string[]> {
  const keys = [...config.EVENT_SIGNING_KEYS.keys()]
  if (keys.length === 0 && config.NODE_ENV !== 'production') return []
  const endpoints = await findEndpointsWithoutKey(db, keys)
  if (endpoints.length === 0) return []
  const named = endpoints
    .slice(0, endpointsShown)
    .map(({ origin, keyId }) => (keyId === null ? origin : `${origin} (${keyId})`))
  const more = endpoints.length > endpointsShown ? ` and ${endpoints.length - endpointsShown} more` : ''
  return [
    `EVENT_SIGNING_KEYS lacks the key of these Lookup endpoints, which are not called: ${named.join(', ')}${more}. ` +
      'Add the key, or delete the endpoint and register it with another.',
  ]
}

/** Prints the result of each rule. The exit code becomes 1 if one is violated. */
export function answerFindings({ answer }: Pick<CommandContext, 'answer'>, findings: Finding[]): void {
  const width = Math.max(...findings.map(({ name }) => name.length))
  answer(
    findings,
    findings.flatMap((finding) => linesOf(finding, width)),
  )
  if (findings.some(({ ok }) => !ok)) process.exitCode = exitCodes.failed
}

function linesOf({ name, means, ok, count, violations }: Finding, width: number): string[] {
  const more = count - violations.length
  return [
    `${ok ? 'ok      ' : 'VIOLATED'}  ${name.padEnd(width)}  ${means}`,
    ...violations.map((violation) => `          ${violation}`),
    ...(more > 0 ? [`          and ${more} more`] : []),
    ...runsOf(violations).map((query) => `          their runs in Temporal: ${query}`),
  ]
}

/** The query by which the Temporal UI, and `temporal workflow list --query`, list the runs that are named. */
function runsOf(violations: string[]): string[] {
  const ids = allRunKinds.flatMap((kind) => {
    const named = new RegExp(`^${runKinds[kind].noun} ([0-9a-f-]{36})`)
    return violations.flatMap((text) => {
      const id = named.exec(text)?.[1]
      return id === undefined ? [] : [`'${workflowIdOf(kind, id)}'`]
    })
  })
  return ids.length > 0 ? [`WorkflowId in (${[...new Set(ids)].join(', ')})`] : []
}
