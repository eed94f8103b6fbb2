import { type ChildProcess, fork } from 'node:child_process'
import { RetryLater } from '../../contract/errors.ts'
import type { PictureFiles } from '../../db/queries/media/media.ts'
import type { KeptType } from '../../db/tables/media.ts'

/** A picture as it is kept. */
export type Drawn = { type: KeptType; width: number; height: number } & PictureFiles

/** Why a file is not kept. */
export type PictureFault = 'unreadable' | 'too_many_pixels' | 'too_slow'

export type Pictures = {
  /**
   * Draws a picture of a unit again. Pictures are drawn one after the other, those of several units in turn.
   * @throws RetryLater if the unit has used up its time
   */
  draw(unitId: string, bytes: Buffer): Promise<Drawn | PictureFault>
  close(): void
}

/** How long one picture may take (ms). */
const timeoutMs = 20_000

/** What a unit may use (ms): so much at once, and in the long run this share of the time. */
const unitBudget = { mostMs: 30_000, share: 0.5 }

/** The memory of the process besides the pixels (MB). */
const heapMb = 64

/** The first bytes of the three formats: anything else is not even handed on. */
const beginnings: ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
]

/** Draws pictures in a process of its own, which is started with the first of them and again if it dies. */
export function openPictures(budget = unitBudget): Pictures {
  let child: ChildProcess | undefined
  const turns = takeTurns()
  const times = usedTimes(budget)

  const drawInChild = (bytes: Buffer): Promise<Drawn | PictureFault | 'died'> => {
    if (!child?.connected) child = startChild()
    const drawing = child
    return new Promise((resolve) => {
      const end = (result: Drawn | PictureFault | 'died') => {
        clearTimeout(timer)
        drawing.removeAllListeners()
        drawing.on('error', () => {})
        if (result === 'too_slow' || result === 'died') {
          drawing.kill('SIGKILL')
          child = undefined
        }
        resolve(result)
      }
      const timer = setTimeout(() => end('too_slow'), timeoutMs)
      drawing.once('message', (answer) => end(received(answer as Drawn | PictureFault)))
      drawing.once('error', () => end('died'))
      drawing.once('exit', () => end('died'))
      drawing.send(bytes)
    })
  }

  /** A process that died may have done so before: the picture is tried once more. */
  const drawOnce = async (bytes: Buffer): Promise<Drawn | PictureFault> => {
    const first = await drawInChild(bytes)
    const drawn = first === 'died' ? await drawInChild(bytes) : first
    return drawn === 'died' ? 'unreadable' : drawn
  }

  return {
    async draw(unitId, bytes) {
      if (!beginnings.some((begins) => begins(bytes))) return 'unreadable'
      const afterMs = times.waitMs(unitId)
      if (afterMs > 0) throw new RetryLater('rate_limited', usedUp, afterMs)
      return turns(unitId, () => times.of(unitId, () => drawOnce(bytes)))
    },
    close() {
      child?.kill('SIGKILL')
      child = undefined
    },
  }
}

const usedUp =
  'Your unit has uploaded many pictures that take long to draw. Retry later, or make the pictures smaller first.'

/** Runs work one after the other, of several names in turn. */
function takeTurns() {
  const lines = new Map<string, (() => Promise<void>)[]>()
  let busy = false

  async function goOn(): Promise<void> {
    if (busy) return
    busy = true
    for (let next = lines.entries().next(); !next.done; next = lines.entries().next()) {
      const [name, line] = next.value
      await line.shift()!()
      // Behind the others, also those that have come meanwhile.
      lines.delete(name)
      if (line.length > 0) lines.set(name, line)
    }
    busy = false
  }

  return <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const line = lines.get(name) ?? []
    line.push(() => work().then(resolve, reject))
    lines.set(name, line)
    void goOn()
    return promise
  }
}

/** How much time each unit has used, which fades by its share. */
function usedTimes(budget: typeof unitBudget) {
  const used = new Map<string, { ms: number; at: number }>()
  const msOf = (unitId: string) => {
    const { ms, at } = used.get(unitId) ?? { ms: 0, at: 0 }
    return Math.max(0, ms - (performance.now() - at) * budget.share)
  }
  return {
    waitMs: (unitId: string) => Math.max(0, (msOf(unitId) - budget.mostMs) / budget.share),
    async of<Result>(unitId: string, work: () => Promise<Result>): Promise<Result> {
      const begun = performance.now()
      try {
        return await work()
      } finally {
        const now = performance.now()
        used.set(unitId, { ms: msOf(unitId) + now - begun, at: now })
        for (const one of used.keys()) if (msOf(one) === 0) used.delete(one)
      }
    },
  }
}

/** It reads what strangers made, and has none of the settings. */
function startChild(): ChildProcess {
  const started = fork(new URL('./picture-process.ts', import.meta.url), {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${heapMb}`],
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  started.unref()
  started.channel?.unref()
  return started
}

/** Structured clones of buffers arrive as plain arrays of bytes. */
function received(answer: Drawn | PictureFault): Drawn | PictureFault {
  if (typeof answer === 'string') return answer
  const { whole, preview, ...facts } = answer
  return { ...facts, whole: Buffer.from(whole), preview: Buffer.from(preview) }
}
