import type { Parser } from './parser.ts'

/** The processes of Carillon that read settings; `cli` is the command line. */
export type ProcessName = 'api' | 'worker' | 'cli'

/**
 * One setting, described once: `readConfig` checks by it, and docs/settings.md and .env.example are generated from it
 * (`vitest run test/unit/config -u`).
 */
export type Setting<T = unknown> = {
  /** What it does, in sentences for operators; Markdown without links. */
  means: string
  kind: Parser<T>
  /** What a number counts: `connections`, `days`. */
  unit?: string
  /** The value of a setting that is left out, as it would be written. Without one, it is undefined. */
  default?: string
  /** A value to show where there is no default. Never that of a secret. */
  example?: string
  /** The processes that use the value. All of them check it. */
  readBy: readonly ProcessName[]
  /** Nothing works without it. */
  required?: true
  /** It is required once one of these settings is given. */
  neededWith?: readonly string[]
  /** Never shown, and may be given as a file: `<name>_FILE` holds its path. */
  secret?: true
  /** May be given as a file, as a secret may. */
  file?: true
  /** Not a secret, but not shown in errors: a secret is easily written here by mistake. */
  unquoted?: true
  /** What production asks of the value beyond its kind. */
  production?: Rule
}

/** What production asks of a value. */
export type Rule = {
  /** What is asked, for the page of settings. */
  asks: string
  /** Judges the text that was given, or the default. The text is known to be of the setting's kind. */
  check(text: string): Verdict | undefined
}

/** A fault stops the process; a warning is logged by the API at its start and printed by `carillon doctor`. */
export type Verdict = Problem | { warning: string }

/** What is wrong, after the setting's name (never a secret's value), and what to write. Sentences without their stop. */
export type Problem = { problem: string; remedy: string }

/** A problem of a setting; the name is that of the variable, which may end in `_FILE`. */
export type Fault = Problem & { name: string }
