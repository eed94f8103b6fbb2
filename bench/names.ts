/** What people of the bench agree to; the category on chat asks for it. */
export const consentScope = 'bench'
export const chatCategory = 'bench-chat'
export const mailCategory = 'bench-mail'
