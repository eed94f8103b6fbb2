/** An id of the chat provider: up to 100 printable characters without spaces; null for anything else. */
export function chatAddress(text: string): string | null {
  return /^[!-~]{1,100}$/.test(text) ? text : null
}
