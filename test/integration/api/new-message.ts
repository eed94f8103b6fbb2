/** The smallest body of a message, to three students by chat. */
export const newMessage = {
  categoryId: 'news',
  messages: [{ kind: 'text', text: { 'zh-TW': '校園開放日' } }],
  audience: { kind: 'query', roles: ['student'] },
}
