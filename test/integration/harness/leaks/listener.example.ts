import { it } from 'vitest'

it('passes', () => {
  process.on('unhandledRejection', () => {})
})
