import {
  defineSignal,
  log,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
} from '@temporalio/workflow'
import { keysOf } from '../contract/enums.ts'
import type { RunKind } from '../domain/run/run-kinds.ts'
import { type RunSignal, type SignalName, signals, toldBy } from '../domain/run/signals.ts'

/** What a run was told, and what the Temporal UI shows of it. */
export type Told<Kind extends RunKind> = {
  /**
   * Shows every other signal as ignored. To be called once all have their handlers: it takes at once what came before, with the
   * start of the run.
   */
  ignoreOthers(): void
  /** Whether a signal came since the row was read. */
  isNew(): boolean
  /** An operator's request: it is applied before the row is read. */
  note(name: string): void
  /** To be called before the row is read: what was told since, oldest first, and the newest signal's name. */
  take(): { told: RunSignal<Kind>[]; newest: string | null }
  /** Shows these details of the row, with what was told last, and what was ignored. */
  show(details: string): void
  /** Once the row is read: of what was told, the names that it does not bear out are shown as ignored. */
  settle(told: readonly RunSignal<Kind>[], unconfirmed: readonly string[]): void
}

/** Ignored signals of which the details show the names; of more, the last. */
const ignoredMost = 5

/**
 * Handles the signals that tell a run of a kind what has happened. One that Carillon does not send does nothing but show:
 * Temporal cannot prove who asks, so that decisions are made by the API or the console.
 */
export function listen<Kind extends RunKind>(kind: Kind): Told<Kind> {
  let pending: RunSignal<Kind>[] = []
  let newest: string | null = null
  let last: RunSignal<Kind> | undefined
  let details = ''
  let ignored: string[] = []

  const showAll = () => {
    const lines = [details]
    if (last) lines.push('', `Told last: ${sentenceOf(last)}.`)
    if (ignored.length > 0) lines.push('', ignoredSentence(ignored))
    setCurrentDetails(lines.join('\n'))
  }
  const ignore = (names: readonly string[]) => {
    for (const name of names)
      log.warn(`The signal ${name} was ignored: nothing that Carillon did bears it out`, { signal: name })
    ignored = [...ignored, ...names].slice(-ignoredMost)
  }

  for (const name of keysOf(signals[kind]) as SignalName<Kind>[]) {
    const description = (signals[kind] as Record<string, string>)[name]!
    const hear = (argument: unknown) => {
      pending.push(...toldBy(kind, name, argument))
      newest = name
    }
    setHandler(defineSignal<[unknown]>(name), hear, { description })
  }
  return {
    ignoreOthers() {
      setDefaultSignalHandler((name) => {
        ignore([name.replace(/[^\w.-]/g, '?').slice(0, 40)])
        showAll()
      })
    },
    isNew: () => newest !== null,
    note(name) {
      newest = name
    },
    take() {
      const news = { told: pending, newest }
      pending = []
      newest = null
      return news
    },
    show(lines) {
      details = lines
      showAll()
    },
    settle(told, unconfirmed) {
      last = told.findLast(({ name }) => !unconfirmed.includes(name)) ?? last
      ignore(unconfirmed)
    },
  }
}

/** What a signal tells, by whom, and of which version or turn. */
function sentenceOf({ name, by, version, turn }: Omit<RunSignal, 'name'> & { name: string }): string {
  const facts = [by && `by ${by}`, version && `version ${version}`, turn && `turn ${turn}`]
  return [`\`${name}\``, ...facts.filter(Boolean)].join(', ')
}

function ignoredSentence(names: readonly string[]): string {
  const list = names.map((name) => `\`${name}\``).join(', ')
  return `**Ignored**: ${list}. Decisions are made by the API or the console: Temporal cannot prove who asks.`
}
