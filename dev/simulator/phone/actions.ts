import { type Html, html } from '../../html.ts'

/** What stands behind any button of a message. */
type Action =
  | { type: 'uri'; label: string; uri: string }
  | { type: 'postback'; label: string; data: string; displayText?: string | undefined }

/** A button in the given style; its tip says what it does. What it sends, the page posts. */
export function button(action: Action, style: string): Html {
  if (action.type === 'postback')
    return html`<button type="button" class="${style}" data-tap="${action.data}" data-say="${action.displayText ?? ''}" title="Sends ${action.data}">${action.label}</button>`
  return html`<a class="${style}" href="${action.uri}" title="Opens ${action.uri}" target="_blank" rel="noreferrer">${action.label}</a>`
}
