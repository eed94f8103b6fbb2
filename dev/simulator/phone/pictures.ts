import { html, type Markup } from '../../../src/html/markup.ts'
import { icons } from './icons.ts'

/** A picture over a placeholder, which stays visible if the picture cannot be loaded. */
export function picture(url: string, style: string, aspectRatio?: string): Markup {
  const name = new URL(url).pathname.split('/').at(-1) || new URL(url).host
  const ratio = aspectRatio && html` style="aspect-ratio: ${aspectRatio.replace(':', ' / ')}"`
  return html`<figure class="picture ${style}"${ratio}>
    <figcaption>${icons.picture}<span>${name}</span></figcaption>
    <img src="${url}" alt="" loading="lazy">
  </figure>`
}
