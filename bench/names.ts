/** The scope to which the bench's subjects consent; the chat category requires it. */
export const consentScope = 'bench'
export const chatCategory = 'bench-chat'
export const mailCategory = 'bench-mail'
