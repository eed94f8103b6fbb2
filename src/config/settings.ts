import type { Parser } from './parser.ts'
import type { Setting } from './setting.ts'
import { accessSettings, eventSettings } from './settings/access.ts'
import { assistantSettings, chatSettings, mailSettings, mediaSettings } from './settings/channels.ts'
import {
  apiSettings,
  postgresSettings,
  processSettings,
  temporalSettings,
  traceSettings,
} from './settings/processes.ts'
import { quotaSettings, retentionSettings } from './settings/records.ts'

/** The settings under the headings of docs/settings.md. A new setting goes into one of these groups. */
export const settingGroups = {
  Postgres: postgresSettings,
  Temporal: temporalSettings,
  API: apiSettings,
  Events: eventSettings,
  Chat: chatSettings,
  'E-mail': mailSettings,
  Pictures: mediaSettings,
  Assistant: assistantSettings,
  'Sign-in, keys and callbacks': accessSettings,
  Quota: quotaSettings,
  Retention: retentionSettings,
  Processes: processSettings,
  Traces: traceSettings,
} satisfies Record<string, Record<string, Setting>>

const all = {
  ...postgresSettings,
  ...temporalSettings,
  ...apiSettings,
  ...eventSettings,
  ...chatSettings,
  ...mailSettings,
  ...mediaSettings,
  ...assistantSettings,
  ...accessSettings,
  ...quotaSettings,
  ...retentionSettings,
  ...processSettings,
  ...traceSettings,
}

type All = typeof all
type ValueOf<S> = S extends { kind: Parser<infer T> }
  ? S extends { default: string } | { required: true }
    ? T
    : T | undefined
  : never

/** The values of all settings. One without a value and without a default is undefined. */
export type Values = { [Name in keyof All]: ValueOf<All[Name]> }
export type SettingName = keyof All

/** Every setting by its name. */
export const settings: Readonly<Record<SettingName, Setting>> = all

/** Whether a setting may be given as a file. */
export function isFromFile({ secret, file }: Setting): boolean {
  return Boolean(secret || file)
}

/** The variable that names the file in which the value of a setting is. */
export function fileVariable(name: string): string {
  return `${name}_FILE`
}

/** The environment variables that Carillon reads: each setting, and the file of those that may be one. */
export const variables: string[] = Object.entries(settings).flatMap(([name, setting]) =>
  isFromFile(setting) ? [name, fileVariable(name)] : [name],
)
