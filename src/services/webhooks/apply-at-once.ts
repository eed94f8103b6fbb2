import { processNextWebhookEvent, type WebhookServices } from './process-event.ts'

/** The most events that a process applies at a time, beside its requests. */
const most = 4

/**
 * Applies webhook events where they were taken, in the order in which a worker would: who taps in the chat waits for no poll
 * of the task `webhook-apply`.
 */
export function createApplyAtOnce(services: WebhookServices): (stored: number) => void {
  let due = 0
  let lanes = 0
  let applied = 0

  async function applyDue(): Promise<void> {
    try {
      while (due > 0) {
        due -= 1
        const before = applied
        if (await processNextWebhookEvent(services)) applied += 1
        else if (lanes === 1 && applied === before) due = 0
        else {
          due += 1 // what is left may wait behind what another lane has, or had, in hand
          if (lanes > 1) return
        }
      }
    } catch (err) {
      due = 0
      services.log.debug({ err }, 'Webhook events were not applied at once; a worker applies them')
    } finally {
      lanes -= 1
    }
  }

  return (stored) => {
    due += stored
    for (let more = Math.min(stored, most - lanes); more > 0; more -= 1) {
      lanes += 1
      void applyDue()
    }
  }
}
