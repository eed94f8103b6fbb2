import { it } from 'vitest'

it('passes', () => {
  process.env.CHAT_BASE_URL = 'http://127.0.0.1:1'
})
