import { type ChildProcess, fork } from 'node:child_process'
import type { PictureFiles } from '../../db/queries/media/media.ts'
import type { KeptType } from '../../db/tables/media.ts'

/** A picture as it is kept. */
export type Drawn = { type: KeptType; width: number; height: number } & PictureFiles

/** Why a file is not kept. */
export type PictureFault = 'unreadable' | 'too_many_pixels' | 'too_slow'

export type Pictures = {
  /** Draws a picture again. Pictures are drawn one after the other. */
  draw(bytes: Buffer): Promise<Drawn | PictureFault>
  close(): void
}

/** How long one picture may take (ms). */
const timeoutMs = 20_000

/** The memory of the process besides the pixels (MB). */
const heapMb = 64

/** The first bytes of the three formats: anything else is not even handed on. */
const beginnings: ((bytes: Buffer) => boolean)[] = [
  (bytes) => bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff])),
  (bytes) => bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])),
  (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
]

/** Draws pictures in a process of its own, which is started with the first of them and again if it dies. */
export function openPictures(): Pictures {
  let child: ChildProcess | undefined
  let last: Promise<unknown> = Promise.resolve()

  const drawInChild = (bytes: Buffer): Promise<Drawn | PictureFault> => {
    child ??= startChild()
    const drawing = child
    return new Promise((resolve) => {
      const end = (result: Drawn | PictureFault, { dead = false } = {}) => {
        clearTimeout(timer)
        drawing.removeAllListeners()
        if (dead) {
          drawing.kill('SIGKILL')
          child = undefined
        }
        resolve(result)
      }
      const timer = setTimeout(() => end('too_slow', { dead: true }), timeoutMs)
      drawing.once('message', (answer) => end(received(answer as Drawn | PictureFault)))
      drawing.once('error', () => end('unreadable', { dead: true }))
      drawing.once('exit', () => end('unreadable', { dead: true }))
      drawing.send(bytes)
    })
  }

  return {
    async draw(bytes) {
      if (!beginnings.some((begins) => begins(bytes))) return 'unreadable'
      const drawn = last.then(() => drawInChild(bytes))
      last = drawn
      return drawn
    },
    close() {
      child?.kill('SIGKILL')
      child = undefined
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
