import { problems } from '../contract/enums.ts'
import { allRunKinds, runKinds } from '../domain/run/run-kinds.ts'
import { printable } from './printable.ts'
import { clipTo, padTo } from './table.ts'
import type { SendingItem, TopSnapshot } from './top-snapshot.ts'

/** The size of a terminal, in characters. */
type Size = { columns: number; rows: number }

/**
 * A snapshot as lines for a terminal: none is wider than its columns, and there are no more than its rows. Each section
 * begins at the margin with its name in capitals. What is parked comes before what is sent, so that it is always seen.
 */
export function drawTop(snapshot: TopSnapshot, { columns, rows }: Size): string[] {
  const above = [
    `CARILLON   ${snapshot.at.toISOString().replace('T', ' ').slice(0, 19)} UTC`,
    '',
    ...runLines(snapshot),
    ...channelLines(snapshot),
    ...quotaLines(snapshot),
    approvalLine(snapshot),
    ...failedLines(snapshot),
    ...parkedLines(snapshot),
    '',
  ]
  const lines = [...above, ...sendingLines(snapshot, columns, rows - above.length)]
  return lines.slice(0, rows).map((line) => clipTo(printable(line), columns).trimEnd())
}

/** Lines up what follows the name of a section. */
const margin = 11

function section(name: string, lines: string[]): string[] {
  return lines.map((line, index) => padTo(index === 0 ? name : '', margin) + line)
}

function runLines({ runs }: TopSnapshot): string[] {
  const lines = allRunKinds.map((kind) => {
    const { overdue, wedged, restarted, oldestSeconds } = runs[kind]
    const late = oldestSeconds > 0 ? `the oldest is ${duration(oldestSeconds)} late` : 'none is late'
    const counts = `${overdue} overdue, ${wedged} wedged, ${restarted} restarted`
    return `${padTo(runKinds[kind].noun, 13)}${counts}; ${late}`
  })
  return section('RUNS', lines)
}

function channelLines({ channels, at }: TopSnapshot): string[] {
  const lines = channels.map(({ channel, restsUntil, retrying, oldestSeconds }) => {
    const restSeconds = restsUntil ? (restsUntil.getTime() - at.getTime()) / 1_000 : 0
    const rest = restSeconds > 0 ? `rests for ${duration(restSeconds)}` : 'open'
    const deferred = retrying > 0 ? `${retrying} deferred batches, since ${duration(oldestSeconds)}` : ''
    return [`${padTo(channel, 13)}${rest}`, deferred].filter((part) => part !== '').join(', ')
  })
  return section('CHANNELS', lines)
}

/** The width of a bar of quota. */
const quotaBar = 20

function quotaLines({ quota }: TopSnapshot): string[] {
  const lines = quota.map(({ channel, scope, ratio }) => {
    const whose = scope === 'pool' ? 'of the pool' : 'of the unit that has used most'
    return `${padTo(channel, 13)}${bar(ratio, quotaBar)} ${percent(ratio)} ${whose}`
  })
  return section('QUOTA', lines.length === 0 ? ['nothing is used or reserved this month'] : lines)
}

function approvalLine({ approvals: { waiting, oldestSeconds } }: TopSnapshot): string {
  const line =
    waiting === 0
      ? 'none waits'
      : `${count(waiting)} ${waiting === 1 ? 'message waits' : 'messages wait'}, the first since ${duration(oldestSeconds)}`
  return section('APPROVALS', [line])[0]!
}

/** Nothing is shown of an hour in which no send failed. */
function failedLines({ failed: { total, newest } }: TopSnapshot): string[] {
  if (total === 0) return []
  const lines = newest.map(({ id, people, reached, reasons, unit }) => {
    const why = reasons.map(({ channel, reason, deliveries }) => `${channel} ${reason} ${count(deliveries)}`)
    return `  ${id}  reached ${count(reached)} of ${count(people)}: ${why.join(', ')}  ${unit}`
  })
  const sends = total === 1 ? 'send' : 'sends'
  return [...section('FAILED', [`${count(total)} ${sends} within the last hour reached too few`]), ...lines]
}

function parkedLines({ at, parked: { counts, oldest } }: TopSnapshot): string[] {
  const totals = problems.map((problem) => {
    const total = allRunKinds.reduce((sum, kind) => sum + counts[kind][problem], 0)
    return { problem, total }
  })
  const parts = totals.filter(({ total }) => total > 0).map(({ problem, total }) => `${problem} ${total}`)
  if (parts.length === 0) return section('PARKED', ['nothing'])
  const named = oldest.map(({ id, problem, since, unit }) => {
    const seconds = (at.getTime() - since.getTime()) / 1_000
    return `${id}  ${padTo(problem, 14)}  since ${duration(seconds)}  ${unit}`
  })
  const more = totals.reduce((sum, { total }) => sum + total, 0) - oldest.length
  const rest = more > 0 ? [`and ${count(more)} more: carillon parked`] : []
  return [...section('PARKED', [parts.join(', ')]), ...[...named, ...rest].map((line) => `  ${line}`)]
}

/** As many waves as fit. */
function sendingLines({ sending }: TopSnapshot, columns: number, rows: number): string[] {
  const { total, items } = sending
  if (total === 0) return section('SENDING', ['nothing'])
  const room = Math.max(1, rows - 2)
  const visible = items.slice(0, total > rows - 1 ? room : items.length)
  const more = total - visible.length
  return [
    ...section('SENDING', [`${count(total)} ${total === 1 ? 'wave' : 'waves'}`]),
    ...visible.map((item) => sendingLine(item, columns)),
    ...(more > 0 ? [`  and ${count(more)} more`] : []),
  ]
}

/** From this width on, a line also has counts, and a wider bar. */
const wideColumns = 110

function sendingLine(item: SendingItem, columns: number): string {
  const { messageId, expected, done, failed, perSecond, unit, categoryId, reminder } = item
  const ratio = expected ? done / expected : 0
  const left = expected !== null && perSecond > 0 ? duration((expected - done) / perSecond) : ''
  const isWide = columns >= wideColumns
  const numbers = [
    ...(isWide ? [`${count(done)}/${expected === null ? '?' : count(expected)}`.padStart(19)] : []),
    `${count(Math.round(perSecond))}/s`.padStart(8),
    left.padStart(5),
  ]
  const what = [
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
    ...(reminder ? ['reminder'] : []),
    unit,
    ...(isWide ? [categoryId] : []),
  ]
  const progress = `${bar(ratio, isWide ? 24 : 8)} ${percent(ratio)}`
  return `  ${messageId}  ${progress} ${numbers.join(' ')}  ${what.join(', ')}`
}

function bar(ratio: number, width: number): string {
  const full = Math.round(Math.min(1, Math.max(0, ratio)) * width)
  return '█'.repeat(full) + '░'.repeat(width - full)
}

/** Rounded down: 100 % is the end, and what is over it is seen. */
function percent(ratio: number): string {
  return `${Math.floor(ratio * 100)}%`.padStart(4)
}

function count(n: number): string {
  return n.toLocaleString('en')
}

/** Seconds in the largest unit that says enough: `42s`, `17m`, `26h`, `3d`. */
export function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)}s`
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)}m`
  if (seconds < 48 * 3_600) return `${Math.round(seconds / 3_600)}h`
  return `${Math.round(seconds / 86_400)}d`
}
