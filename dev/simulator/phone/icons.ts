import { html, type Markup } from '../../../src/html/markup.ts'

const icon = (paths: Markup) =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${paths}</svg>`

/** The page's icons, in the colour of the surrounding text. */
export const icons = {
  bell: icon(html`<path d="M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15z"/><path d="M10 21h4M12 3v2"/>`),
  back: icon(html`<path d="m14.5 5-7 7 7 7"/>`),
  plus: icon(html`<path d="M12 5v14M5 12h14"/>`),
  smile: icon(
    html`<circle cx="12" cy="12" r="9"/><path d="M8.5 14.5a4.5 4.5 0 0 0 7 0"/><path d="M9 9.5v.5M15 9.5v.5"/>`,
  ),
  send: icon(html`<path d="M4 12 20 4.5 15.5 20l-4-6.5z"/><path d="m11.5 13.5 8.5-9"/>`),
  picture: icon(
    html`<rect x="3.5" y="5" width="17" height="14" rx="2.5"/><circle cx="9" cy="10" r="1.5"/><path d="m4 17 5-4.5 3.5 3 3-2.5 4.5 4"/>`,
  ),
  signal: html`<svg viewBox="0 0 18 12" fill="currentColor" aria-hidden="true"><rect y="8" width="3" height="4" rx="1"/><rect x="5" y="5.5" width="3" height="6.5" rx="1"/><rect x="10" y="3" width="3" height="9" rx="1"/><rect x="15" width="3" height="12" rx="1"/></svg>`,
  battery: html`<svg viewBox="0 0 27 12" fill="none" aria-hidden="true"><rect x=".5" y=".5" width="22" height="11" rx="3.2" stroke="currentColor" opacity=".4"/><rect x="2" y="2" width="17" height="8" rx="2" fill="currentColor"/><path d="M24.5 4v4a2 2 0 0 0 0-4z" fill="currentColor" opacity=".5"/></svg>`,
}
