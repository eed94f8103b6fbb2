import type { messagingApi } from '@line/bot-sdk'
import { expectTypeOf, test } from 'vitest'
import type { ChatMessage } from '../../../../src/channels/chat/wire.ts'

test('the compiler emits what the provider accepts', () => {
  expectTypeOf<ChatMessage>().toExtend<messagingApi.Message>()
  expectTypeOf<{ type: 'text' }>().not.toExtend<messagingApi.Message>()
})
