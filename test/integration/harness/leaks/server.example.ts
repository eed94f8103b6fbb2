import { createServer } from 'node:http'
import { it } from 'vitest'

it('passes', () => {
  createServer().listen(0)
})
