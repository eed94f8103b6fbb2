import { html, type Markup, textOf } from '../../../src/html/markup.ts'
import type { Language } from '../../language.ts'
import type { Message } from '../check-message.ts'
import type { Journal, JournalItem } from '../journal.ts'
import type { PhoneActionItem, PhoneActions } from '../phone-actions.ts'
import { bubble, quickReplies } from './bubbles.ts'
import { dayOf, timeOf } from './clock.ts'
import { icons } from './icons.ts'
import { words } from './words.ts'

/**
 * How many of the latest calls (to any recipient) the first view of a phone reads, and how many of the phone's entries
 * it shows.
 */
const callsRead = 20_000
const turnsShown = 60
/** The name of the chat account; a unit may send in its own. */
export const account = 'Carillon'

/** The calls received and the actions on all phones. */
export type Talk = { journal: Journal; acts: PhoneActions; language: Language }

/** New entries of one phone as markup; `next` is the cursor for the next request. */
export type Conversation = { markup: string; next: string; blocked: boolean }

/** Reads one person's messages and actions that are newer than `since`, the `next` of the previous request. */
export async function conversation(
  { journal, acts, language }: Talk,
  id: string,
  since = '',
): Promise<Conversation> {
  const [calls = 0, done = 0] = since.split('.').map((part) => Number(part) || 0)
  const [lastCall, lastAct] = [journal.last(), acts.last()] // later entries are for the next request
  const received = await callsTo(journal, id, { after: calls, upTo: lastCall })
  const turns = [
    // The provider accepts calls to recipients who block the account, and delivers nothing to them.
    ...received
      .filter(({ at }) => !acts.hadBlocked(id, at))
      .map((item) => ({ at: item.at, html: call(item, language) })),
    ...acts
      .of(id)
      .filter(({ seq }) => seq > done && seq <= lastAct)
      .map((item) => ({ at: item.at, html: own(item, language) })),
  ]
  const lastTurns = turns.sort((a, b) => (a.at < b.at ? -1 : 1)).slice(-turnsShown)
  const markup = lastTurns.map((turn) => textOf(turn.html)).join('')
  return { markup, next: `${lastCall}.${lastAct}`, blocked: acts.hadBlocked(id) }
}

async function callsTo(
  journal: Journal,
  id: string,
  { after, upTo }: { after: number; upTo: number },
): Promise<JournalItem[]> {
  const received: JournalItem[] = []
  for await (const line of journal.after(Math.max(after, upTo - callsRead))) {
    if (!line.includes(`"${id}"`)) continue
    const item: JournalItem = JSON.parse(line.toString())
    if (item.seq > upTo) break
    if (item.status === 200 && item.to.includes(id)) received.push(item)
  }
  return received.slice(-turnsShown)
}

/** The messages of one call; the page shows each day once, and options only under the last message. */
function call({ seq, at, messages }: JournalItem, language: Language): Markup {
  const bubbles = messages as Message[]
  const sender = bubbles[0]?.sender
  const icon = sender?.iconUrl
  const lang = /\p{Script=Han}/u.test(JSON.stringify(messages)) ? 'zh-TW' : 'en'
  return html`<p class="day">${dayOf(at, language)}</p>
  <section class="call" lang="${lang}" data-seq="${seq}">
    <span class="sender">${icons.bell}${icon && html`<img src="${icon}" alt="">`}</span>
    <div class="messages">
      <span class="sender-name">${sender?.name ?? account}</span>
      ${bubbles.map(
        (message, index) => html`<div class="message message--${message.type}">
          ${bubble(message)}
          ${index === bubbles.length - 1 && html`<time datetime="${at}">${timeOf(at)}</time>`}
        </div>`,
      )}
    </div>
    ${quickReplies(bubbles.at(-1))}
  </section>`
}

/** An action of the phone's owner: a bubble on their side, or a note in the middle. */
function own({ at, act }: PhoneActionItem, language: Language): Markup {
  const { followed, blocked } = words[language]
  const day = html`<p class="day">${dayOf(at, language)}</p>`
  if (act.kind === 'follow') return html`${[day]}<p class="note">${followed(account)}</p>`
  if (act.kind === 'block') return html`${[day]}<p class="note">${blocked(account)}</p>`
  const speech = act.kind === 'say' ? act.text : (act.displayText ?? act.data)
  return html`${[day]}<section class="own">
    <time datetime="${at}">${timeOf(at)}</time><p class="bubble bubble--own">${speech}</p>
  </section>`
}
