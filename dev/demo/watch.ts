import { setTimeout as sleep } from 'node:timers/promises'
import { Presets, SingleBar } from 'cli-progress'
import type { MessageDetail } from '../../src/contract/messages/detail.ts'
import { type Caller, call } from './send.ts'

const everyMs = 200
const timeoutMs = 120_000

/** Shows the progress of a message by channel until it is closed, then prints its outcomes. */
export async function watch(caller: Caller, id: string): Promise<void> {
  const bar = progressBar()
  const deadline = Date.now() + timeoutMs
  let detail = await read(caller, id)
  while (detail.closedAt === null && Date.now() < deadline) {
    bar.show(detail)
    await sleep(everyMs)
    detail = await read(caller, id)
  }
  bar.show(detail)
  bar.end()
  process.stdout.write(`  ${summary(detail)}\n`)
}

function read(caller: Caller, id: string): Promise<MessageDetail> {
  return call<MessageDetail>(caller, 'GET', `/v1/messages/${id}`)
}

/** A bar on a terminal, otherwise a line for each change. */
function progressBar() {
  if (!process.stdout.isTTY) return progressLines()
  const format = '  {state}  {bar}  {value}/{total} {of}  {channels}'
  const bar = new SingleBar(
    { format, hideCursor: true, clearOnComplete: true, fps: 10 },
    Presets.shades_classic,
  )
  bar.start(1, 0, { state: 'approved', of: 'people', channels: '' })
  return {
    show: (detail: MessageDetail) => {
      const { expected, done, of } = totals(detail)
      bar.setTotal(expected)
      bar.update(done, { state: detail.state, of, channels: byChannel(detail) })
    },
    end: () => bar.stop(),
  }
}

function progressLines() {
  let last = ''
  return {
    show: (detail: MessageDetail) => {
      const { expected, done, of } = totals(detail)
      const line = `  ${detail.state}  ${done}/${expected} ${of}  ${byChannel(detail)}`.trimEnd()
      if (line !== last) process.stdout.write(`${line}\n`)
      last = line
    },
    end: () => {},
  }
}

/** What is done and expected: people, and deliveries as soon as their rows are written. */
function totals({ stats, recipients }: MessageDetail) {
  const pending = stats?.pending ?? 0
  const skipped = Object.values(stats?.skipped ?? {}).reduce((sum, n) => sum + n, 0)
  const done = (stats?.sent ?? 0) + (stats?.failed ?? 0) + (stats?.unknown ?? 0) + skipped
  const deliveries = done + pending
  return deliveries > 0
    ? { done, expected: deliveries, of: 'deliveries' }
    : { done, expected: recipients?.total || 1, of: 'people' }
}

function byChannel({ stats }: MessageDetail): string {
  const channels = Object.entries(stats?.byChannel ?? {})
  return channels.map(([channel, { sent }]) => `${channel} ${sent}`).join('  ')
}

function summary(detail: MessageDetail): string {
  const { stats } = detail
  const skipped = Object.entries(stats?.skipped ?? {}).map(([reason, n]) => `${n} ${reason}`)
  const parts = [
    `${detail.state}: ${byChannel(detail)}`,
    skipped.length > 0 ? `skipped: ${skipped.join(', ')}` : '',
    stats?.failed ? `${stats.failed} failed` : '',
    stats?.unknown ? `${stats.unknown} unknown` : '',
    detail.closedAt === null ? 'still running; see the Temporal UI' : '',
  ]
  return parts.filter(Boolean).join('; ')
}
