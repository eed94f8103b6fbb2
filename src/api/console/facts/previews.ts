import type { ChatMessage } from '../../../channels/chat/wire.ts'
import { type Locale, type WaveName, waveNames } from '../../../contract/enums.ts'
import type { Preview } from '../../../contract/messages/dry-run.ts'
import { html, type Markup } from '../../../html/markup.ts'
import { kitWords } from '../kit/words.ts'
import { drawChat } from '../preview/chat.ts'
import { type FrameContent, frameContentOf } from '../preview/frame.ts'
import { previewWords } from '../preview/words.ts'
import { factWords } from './words.ts'

/**
 * What recipients see. `previews`: by channel and language; `pictures`: what own pictures' addresses begin with; `frames`:
 * where those that stand in frames are, each at its channel and language, and the query of their addresses.
 */
type PreviewProps = {
  previews: readonly Preview[]
  pictures: string | null
  frames: { path: string; query?: Record<string, string> }
}

/**
 * The phones at the side of what else there is to know, before it where the window is narrow; then what stands in frames,
 * each to be unfolded. Without previews, `facts` alone.
 */
export function previewsBeside(reader: Locale, props: PreviewProps, facts: Markup): Markup {
  if (props.previews.length === 0) return facts
  const drawn = previewSection(reader, props)
  if (!drawn.phones) return html`${facts}${drawn.frames}`
  return html`<div class="facing">\n<div class="seen">${drawn.phones}</div>\n<div>\n${facts}</div>\n</div>\n${drawn.frames}`
}

/** What recipients see: phones, if a channel is drawn so, and what stands in frames, under a heading of its own without phones. */
export function previewSection(
  reader: Locale,
  props: PreviewProps,
): { phones: Markup | null; frames: Markup } {
  const { first, reminder } = previewWords[reader]
  const heading = html`<h2>${first}</h2>\n`
  const drawn = phones(reader, props, 'first')
  if (!drawn) return { phones: null, frames: html`${heading}${frames(reader, props)}` }
  const again = phones(reader, props, 'reminder')
  const reminded = again ? html`<details><summary>${reminder}</summary>${again}</details>\n` : html``
  return { phones: html`${heading}${drawn}${reminded}`, frames: frames(reader, props) }
}

/** Where the frames of a message are. */
export function messageFrames({ id }: { id: string }): PreviewProps['frames'] {
  return { path: `/messages/${id}/preview` }
}

/** What the page draws by itself; null: no channel of the message is drawn so. */
function phones(reader: Locale, { previews, pictures }: PreviewProps, wave: WaveName): Markup | null {
  const { languages } = kitWords[reader]
  const drawn = previews.flatMap((preview) => {
    const calls = callsOf(preview, wave)
    if (calls === null) return []
    const { locale } = preview
    const phone = drawChat({ reader, pictures }, calls)
    return html`<section aria-label="${previewWords[reader].phone(languages[locale])}"><h3>${languages[locale]}</h3>
<div lang="${kitWords[locale].lang}">${phone}</div></section>\n`
  })
  return drawn.length === 0 ? null : html`<div class="columns">\n${drawn}</div>\n`
}

/** The provider calls of a channel that is a conversation. */
function callsOf(preview: Preview, wave: WaveName): ChatMessage[][] | null {
  const content = wave === 'first' ? preview : preview.reminder
  return content && 'calls' in content ? (content.calls as ChatMessage[][]) : null
}

function frames(reader: Locale, { previews, frames: at }: PreviewProps): Markup {
  return html`${previews.flatMap((preview) =>
    waveNames.flatMap((wave) => {
      const content = frameContentOf(preview, wave)
      return content ? [frameOf(reader, { at, preview, wave, content })] : []
    }),
  )}`
}

type InFrame = { at: PreviewProps['frames']; preview: Preview; wave: WaveName; content: FrameContent }

/** What it looks like, with styles that are not the page's, and the same in plain text. */
function frameOf(reader: Locale, { at, preview, wave, content: { heading, text } }: InFrame): Markup {
  const { asMail, blocks } = factWords[reader]
  const { languages } = kitWords[reader]
  const { channel, locale } = preview
  const { lang } = kitWords[locale]
  const title = asMail[wave](languages[locale])
  const query = new URLSearchParams({ ...at.query, ...(wave === 'reminder' && { wave }) })
  const address = `${at.path}/${channel}/${locale}${query.size > 0 ? `?${query}` : ''}`
  return html`<details><summary>${title}</summary><p><span class="tag">${blocks.subject}</span> <span lang="${lang}">${heading}</span></p>
<iframe class="mail" src="${address}" title="${title}" loading="lazy" sandbox></iframe>
<details><summary>${previewWords[reader].plain}</summary><p class="mail" lang="${lang}">${text}</p></details></details>\n`
}
