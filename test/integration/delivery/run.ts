import { setTimeout as sleep } from 'node:timers/promises'
import { finish } from '../../../src/activities/delivery/finish-wave.ts'
import { express } from '../../../src/activities/delivery/send-in-one-step.ts'
import { sendSlice } from '../../../src/activities/delivery/send-slice.ts'
import { start } from '../../../src/activities/delivery/start-wave.ts'
import { writeRows } from '../../../src/activities/delivery/write-rows.ts'
import { type Look, lookActivities } from '../../../src/activities/look.ts'
import { moveActivities } from '../../../src/activities/moves.ts'
import type { Channel } from '../../../src/contract/enums.ts'
import { type Scene, step } from './world.ts'

/** A run made by hand: looks, and takes the step that the look names. Answers the look. */
export async function stepOn({ delivery }: Pick<Scene, 'delivery'>, id: string): Promise<Look> {
  const { db } = delivery.services
  const next = await lookActivities({ db }).look(id)
  switch (next.do) {
    case 'start':
      await start(delivery, id)
      break
    case 'express':
      await express(delivery, step(), id, next.channel)
      break
    case 'rows':
      await writeRows(delivery, step(), next.waveId)
      break
    case 'send':
      for (const channel of Object.keys(next.lanes) as Channel[])
        await sendSlice(delivery, step(), next.waveId, channel)
      break
    case 'finish':
      await finish(delivery, step(), id)
      break
    case 'expire':
      await moveActivities({ db }).expire(id)
  }
  return next
}

/** As long as a batch that was refused waits at most, ms. */
const backOffMs = 5_000

/** Steps on until the run would end, or wait for its parked wave, or for longer than for a back-off. */
export async function goOn(scene: Pick<Scene, 'delivery'>, id: string): Promise<Look> {
  for (;;) {
    const next = await stepOn(scene, id)
    if (next.do === 'end') return next
    if (next.do !== 'wait') continue
    if (next.ms === null || next.ms > backOffMs || next.view?.parked) return next
    await sleep(next.ms)
  }
}
