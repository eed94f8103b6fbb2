import { type Html, html } from '../../html.ts'
import type { Message } from '../check-message.ts'
import type { Journal, JournalItem } from '../journal.ts'
import { bubble, quickReplies } from './bubbles.ts'
import { dayOf, timeOf } from './clock.ts'
import { icons } from './icons.ts'

/** How far back a phone that is first looked at reads, in calls to anybody, and how much it shows, in calls to its owner. */
const callsRead = 20_000
const callsShown = 60

/** What one person received after call `since`: as markup, with the number of the last call that was looked at. */
export type Conversation = { markup: string; next: number }

/** Reads a person's messages from the journal, and nobody else's. */
export async function conversation(journal: Journal, id: string, since = 0): Promise<Conversation> {
  const next = journal.last()
  const received: JournalItem[] = []
  for await (const line of journal.after(Math.max(since, next - callsRead))) {
    if (!line.includes(`"${id}"`)) continue
    const item: JournalItem = JSON.parse(line.toString())
    if (item.status === 200 && item.to.includes(id)) received.push(item)
  }
  return {
    markup: received
      .slice(-callsShown)
      .map((item) => call(item).markup)
      .join(''),
    next,
  }
}

/** The messages of one call; the page shows a day once, and options only under the very last message. */
function call({ seq, at, messages }: JournalItem): Html {
  const shown = messages as Message[]
  const lang = /\p{Script=Han}/u.test(JSON.stringify(messages)) ? 'zh-TW' : 'en'
  return html`<p class="day">${dayOf(at)}</p>
  <section class="call" lang="${lang}" data-seq="${seq}">
    <span class="sender">${icons.bell}</span>
    <div class="messages">
      <span class="sender-name">Carillon</span>
      ${shown.map(
        (message, index) => html`<div class="message message--${message.type}">
          ${bubble(message)}
          ${index === shown.length - 1 && html`<time datetime="${at}">${timeOf(at)}</time>`}
        </div>`,
      )}
    </div>
    ${quickReplies(shown.at(-1))}
  </section>`
}
