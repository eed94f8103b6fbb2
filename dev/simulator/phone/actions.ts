import { html, type Markup } from '../../../src/html/markup.ts'

/** The action of a button in a message. */
type Action =
  | { type: 'uri'; label: string; uri: string }
  | { type: 'postback'; label: string; data: string; displayText?: string | undefined }

/** A button of the given class and background, with its effect as tooltip. The page posts what it sends. */
export function button(action: Action, style: string, background?: string): Markup {
  const colour = background && html` style="background: ${background}"`
  if (action.type === 'postback')
    return html`<button type="button" class="${style}"${colour} data-tap="${action.data}" data-say="${action.displayText ?? ''}" title="Sends ${action.data}">${action.label}</button>`
  return html`<a class="${style}"${colour} href="${action.uri}" title="Opens ${action.uri}" target="_blank" rel="noreferrer">${action.label}</a>`
}
