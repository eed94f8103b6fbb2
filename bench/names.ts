/** The scope to which the bench's subjects consent; the chat category requires it. */
export const consentScope = 'bench'
export const chatCategory = 'bench-chat'
/** The source of the events that the bench's unit binds. */
export const eventSource = 'bench'
export const mailCategory = 'bench-mail'
