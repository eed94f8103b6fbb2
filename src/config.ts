import { crossCheck, findMissing } from './config/cross-checks.ts'
import { type GivenVariables, readVariables } from './config/read-variable.ts'
import type { Fault, Setting, Verdict } from './config/setting.ts'
import { settings, type Values } from './config/settings.ts'

/** The settings of a process, and what an operator should know about them, one sentence each without any secret. */
export type Config = Values & { warnings: readonly string[] }

/** The longest value that is shown whole in a fault (characters). */
const shownLength = 60

/**
 * Reads the configuration of this process (docs/settings.md). An empty value counts as unset. The API logs `warnings`
 * at its start, and `carillon doctor` prints them.
 * @throws Error that names every fault, what came (never a secret's value) and what to write
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: Fault[] = []
  const warnings: string[] = []
  const record = (name: string, verdict: Verdict) => {
    if ('warning' in verdict) warnings.push(`${name} ${verdict.warning}.`)
    else faults.push({ name, ...verdict })
  }

  const production = asksForProduction(environment.NODE_ENV)
  const names = new Set<string>()
  const values: Record<string, unknown> = {}
  for (const [name, setting] of Object.entries(settings)) {
    const came = readVariables(name, setting, environment)
    if (came !== undefined) names.add(name)
    if (came !== undefined && 'problem' in came) {
      faults.push(came)
      continue
    }
    const text = came?.text ?? setting.default
    if (text === undefined) continue
    const value = setting.kind.read(text)
    if (came && value === undefined) faults.push(misread(came, setting))
    else values[name] = value
    const verdict = production && value !== undefined && setting.production?.check(text)
    if (verdict) record(came?.variable ?? name, verdict)
  }
  faults.push(...findMissing(names))
  // Every setting was read by its own kind, or is among the faults.
  const read = values as Values
  for (const { name, ...verdict } of crossCheck(read, production)) record(name, verdict)
  if (faults.length > 0) throw new Error(describeFaults(faults))
  return { ...read, warnings }
}

/** A misspelt `production` is a fault; what it asks is checked all the same, so that all faults are named at once. */
function asksForProduction(environment: string | undefined): boolean {
  return !['', 'development', 'test'].includes(environment?.trim() ?? '')
}

function misread({ variable, text }: GivenVariables, { kind, secret, unquoted }: Setting): Fault {
  const hidden = secret || unquoted
  return {
    name: variable,
    problem: hidden
      ? 'has a value of another form, which is not shown here'
      : `is ${JSON.stringify(showable(text))}`,
    remedy: `Write ${kind.takes}`,
  }
}

/** The beginning of a value, without the user and password of an address, in which any character may stand. */
function showable(text: string): string {
  const bare = text.replace(/^(\w+:\/\/)?.*:.*@/s, '$1…@')
  return bare.length > shownLength ? `${bare.slice(0, shownLength)}…` : bare
}

function describeFaults(faults: Fault[]): string {
  const lines = faults.map(({ name, problem, remedy }) => `  ${name} ${problem}. ${remedy}.`)
  return `Invalid configuration (see docs/settings.md):\n${lines.join('\n')}`
}
