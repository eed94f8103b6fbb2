import { ServiceError } from '../contract/errors.ts'

/** Runs `work` when `name`, such as a unit's id, has a free slot. */
export type Semaphore = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>
/** `refusal`: the error of a caller that waited in vain. */
type GateOptions = { most: number; waitMs: number; refusal: string }

type Line = { running: number; waiting: (() => void)[] }

/**
 * Lets `most` pieces of work of one name run at a time; others wait in order, for at most `waitMs`.
 * @throws ServiceError unavailable after that time
 */
export function createSemaphore({ most, waitMs, refusal }: GateOptions): Semaphore {
  const lines = new Map<string, Line>()

  return async (name, work) => {
    const line = lines.get(name) ?? { running: 0, waiting: [] }
    lines.set(name, line)
    // A call that ends hands its slot to the first that waits.
    if (line.running < most) line.running += 1
    else await placeIn(line, waitMs, refusal)
    try {
      return await work()
    } finally {
      const next = line.waiting.shift()
      if (next) next()
      else line.running -= 1
      if (line.running === 0) lines.delete(name)
    }
  }
}

function placeIn(line: Line, waitMs: number, refusal: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const enter = () => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(() => {
      line.waiting.splice(line.waiting.indexOf(enter), 1)
      reject(new ServiceError('unavailable', refusal))
    }, waitMs)
    line.waiting.push(enter)
  })
}
