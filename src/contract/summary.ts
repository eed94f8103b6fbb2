import { z } from 'zod'

const count = z.int().min(0)

/** Sessions with several units say which. */
export const SummaryQuery = z.object({ unitId: z.string().min(1).optional() })

/** What waits and what moves in a unit; counts of messages and templates. */
export const Summary = z
  .object({
    toApprove: count.meta({ description: 'Submitted messages.' }),
    templatesToApprove: count.meta({ description: 'Templates whose newest version is a draft.' }),
    sending: count.meta({ description: 'Messages, or their reminders, that are being sent.' }),
    parked: count.meta({ description: 'Sends that stand still: provider or quota.' }),
  })
  .meta({ id: 'Summary' })
