import { isKeyOf } from './key-parsers.ts'
import { isLoopback } from './rules.ts'
import type { Fault, Verdict } from './setting.ts'
import { type SettingName, settings, type Values } from './settings.ts'

/** A verdict on settings that depend on one another, under the name of the one to change. */
type Related = Verdict & { name: string }

/** The settings that others require: `names` are those of all that have a value, right or wrong. */
export function findMissing(names: ReadonlySet<string>): Fault[] {
  return Object.entries(settings)
    .filter(([name]) => !names.has(name))
    .flatMap(([name, { required, neededWith, kind, example }]) => {
      const other = neededWith?.find((one) => names.has(one))
      if (!required && other === undefined) return []
      const hint = example === undefined ? '' : `, such as ${example}`
      return [
        {
          name,
          problem: other === undefined ? 'is missing' : `is missing, and ${other} needs it`,
          remedy: `Write ${kind.takes}${hint}`,
        },
      ]
    })
}

/** What is wrong between values that are right by themselves. Those of faulty settings are left out. */
export function crossCheck(values: Partial<Values>, production: boolean): Related[] {
  const problems = [checkSources(values, production), production ? checkMailSecurity(values) : undefined]
  return [...checkTemporal(values), ...problems.filter((one) => one !== undefined)]
}

/** An API key must not travel unencrypted, and what is set without TEMPORAL_TLS would be ignored without a word. */
function checkTemporal(values: Partial<Values>): Related[] {
  const { TEMPORAL_TLS_CERT: certificate, TEMPORAL_TLS_KEY: key } = values
  const needTls = [
    'TEMPORAL_TLS_CA',
    'TEMPORAL_TLS_SERVER_NAME',
    'TEMPORAL_TLS_CERT',
    'TEMPORAL_TLS_KEY',
    'TEMPORAL_API_KEY',
  ] as const
  const idle = needTls.filter((name) => values.TEMPORAL_TLS === false && values[name] !== undefined)
  const faults: Related[] = idle.map((name) => ({
    name,
    problem: 'is set without TEMPORAL_TLS=true',
    remedy: 'Write TEMPORAL_TLS=true, or leave it out',
  }))
  if (certificate === undefined || key === undefined || isKeyOf(certificate, key)) return faults
  const other: Related = {
    name: 'TEMPORAL_TLS_KEY',
    problem: 'is not the key of TEMPORAL_TLS_CERT',
    remedy: 'Write the key that belongs to that certificate',
  }
  return [...faults, other]
}

/** A misspelt key would leave the key that was meant unrestricted (docs/design/events.md). */
function checkSources(values: Partial<Values>, production: boolean): Related | undefined {
  const { EVENT_SIGNING_KEYS: keys, EVENT_SIGNING_SOURCES: sources } = values
  if (keys === undefined || sources === undefined) return undefined
  const name: SettingName = 'EVENT_SIGNING_SOURCES'
  if ([...sources.keys()].some((keyId) => !keys.has(keyId)))
    return {
      name,
      problem: 'names a key that EVENT_SIGNING_KEYS does not have',
      remedy: 'Name only keys of EVENT_SIGNING_KEYS',
    }
  const unnamed = [...keys.keys()].filter((keyId) => !sources.has(keyId))
  if (!production || unnamed.length === 0) return undefined
  return {
    name,
    warning:
      `does not name ${unnamed.join(', ')}: such a key may raise events of every source. ` +
      'Name the sources of each key',
  }
}

/** In production, a password goes to another machine only over TLS. */
function checkMailSecurity(values: Partial<Values>): Related | undefined {
  const { SMTP_HOST: host, SMTP_SECURITY: security, SMTP_PASSWORD: password } = values
  if (host === undefined || security !== 'none') return undefined
  const name: SettingName = 'SMTP_SECURITY'
  if (password === undefined || isLoopback(host))
    return { name, warning: 'is none: mails reach the mail server unencrypted' }
  return {
    name,
    problem: 'is none, which sends SMTP_PASSWORD unencrypted',
    remedy: 'Write starttls or tls',
  }
}
