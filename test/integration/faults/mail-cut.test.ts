import { afterAll, beforeAll, expect, it } from 'vitest'
import { countsOf, patient } from './counts.ts'
import { untilClosed } from './world/await.ts'
import { type Api, openWorld, type World } from './world/installation.ts'
import { expectMailInvariants, furnishMail, planMail } from './world/mail.ts'
import { type Mailbox, startMailboxOf } from './world/mailbox.ts'
import { measured } from './world/measured.ts'

const people = 300

let world: World
let mailbox: Mailbox
let api: Api
beforeAll(async () => {
  world = await openWorld()
  mailbox = await startMailboxOf()
  await furnishMail(world)
  api = await world.startApi(mailbox.env)
  await world.startWorker(mailbox.env)
})
afterAll(async () => {
  await world.close()
  await mailbox.stop()
})

/** Mails everybody while the connection is cut so often at this point; answers how many mails arrived. */
async function mailedThrough(phase: 'rcpt' | 'data' | 'dot', onUnknown: 'keep' | 'repeat'): Promise<number> {
  const cuts = countsOf('mailCut')['cuts each']
  const before = mailbox.mails()
  await mailbox.fault({ phase, action: 'cut', times: cuts })
  await untilClosed(world, [await api.send(await planMail(world, people, { onUnknown }))], 'sent')
  return mailbox.mails() - before
}

it(
  'a connection cut before the final dot has sent nothing, and after it is owned up to',
  patient,
  async () => {
    const cuts = countsOf('mailCut')['cuts each']
    expect(await mailedThrough('rcpt', 'keep')).toBe(people)
    expect(await mailedThrough('data', 'keep')).toBe(people)
    expect(await expectMailInvariants(world, mailbox)).toEqual({ unknown: 0, twice: 0 })

    expect(await mailedThrough('dot', 'keep')).toBe(people)
    expect(await expectMailInvariants(world, mailbox)).toEqual({ unknown: cuts, twice: 0 })

    expect(await mailedThrough('dot', 'repeat')).toBe(people + cuts)
    expect(await expectMailInvariants(world, mailbox)).toEqual({ unknown: cuts, twice: cuts })
    measured('mailCut', `${cuts} each; ${cuts} kept unknown, ${cuts} told twice where the category repeats`)
  },
)
