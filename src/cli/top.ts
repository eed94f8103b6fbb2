import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import type { Command } from 'commander'
import { isUnavailable } from '../db/unavailable.ts'
import { type CommandContext, withDatabase } from './command.ts'
import { drawTop } from './draw-top.ts'
import { readTop, type TopSnapshot } from './top-snapshot.ts'

/** `carillon top` */
export function addTop(program: Command): void {
  program
    .command('top')
    .description(
      'show what is sent now, with rates; what is parked or waits; quota; and how late runs are. Prints it once with --json, or where the output is no terminal',
    )
    .action(
      withDatabase(async (context: CommandContext) => {
        const { json, answer } = context
        if (!json && process.stdin.isTTY && process.stdout.isTTY) return watch(context)
        const snapshot = await read(context)
        answer(snapshot, drawTop(snapshot, { columns: 140, rows: Number.MAX_SAFE_INTEGER }))
      }),
    )
}

function read({ db, config }: CommandContext, before?: TopSnapshot): Promise<TopSnapshot> {
  return readTop(db, config.QUOTA_TIME_ZONE, before)
}

/** The pause between two pictures (ms). */
const everyMs = 2_000
/** Rates are measured over so many pictures: finished batches are counted in steps. */
const ratesOver = 5

/** Redraws until the person quits. The last picture stays while the database does not respond. */
async function watch(context: CommandContext): Promise<void> {
  const snapshots = [await read(context)]
  let hint = quitHint
  const draw = () => paint(snapshots.at(-1)!, hint)
  const quit = new AbortController()
  const leave = openScreen(() => quit.abort())
  process.stdout.on('resize', draw)
  try {
    while (!quit.signal.aborted) {
      draw()
      await sleep(everyMs, undefined, { signal: quit.signal }).catch(() => {})
      try {
        snapshots.push(await read(context, snapshots[0]))
        if (snapshots.length > ratesOver) snapshots.shift()
        hint = quitHint
      } catch (error) {
        if (!isUnavailable(error)) throw error
        hint = 'The database does not respond; trying again. q quits'
      }
    }
  } finally {
    process.stdout.off('resize', draw)
    leave()
  }
}

const quitHint = 'q quits'

/** Control sequences of a terminal (ECMA-48, and xterm's alternate screen). */
const terminal = {
  enter: '\x1b[?1049h\x1b[?25l',
  leave: '\x1b[?25h\x1b[?1049l',
  home: '\x1b[H',
  clearLine: '\x1b[K',
  clearBelow: '\x1b[J',
}

/** Takes the screen and the keyboard; returns what gives both back. */
function openScreen(onQuit: () => void): () => void {
  const onKey = (key: Buffer) => {
    if (['q', 'Q', '\x03', '\x04', '\x1b'].includes(key.toString())) onQuit()
  }
  process.stdout.write(terminal.enter)
  process.stdin.setRawMode(true).resume().on('data', onKey)
  process.once('SIGTERM', onQuit)
  return () => {
    process.off('SIGTERM', onQuit)
    process.stdin.off('data', onKey).setRawMode(false).pause()
    process.stdout.write(terminal.leave)
  }
}

/** Overwrites the picture before, line by line, so that nothing flickers. */
function paint(snapshot: TopSnapshot, hint: string): void {
  const { columns, rows } = process.stdout
  const lines = drawTop(snapshot, { columns, rows: rows - 1 })
  const styled = lines.map((line) => line.replace(/^[A-Z]+/, (name) => styleText('bold', name)))
  const text = [...styled, styleText('dim', hint)].map((line) => `${line}${terminal.clearLine}`).join('\r\n')
  process.stdout.write(`${terminal.home}${text}${terminal.clearBelow}`)
}
