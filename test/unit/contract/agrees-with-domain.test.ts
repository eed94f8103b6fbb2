import { expectTypeOf, test } from 'vitest'
import type { Audience as WireAudience } from '../../../src/contract/messages/audience.ts'
import type { ChannelPlan as WirePlan } from '../../../src/contract/messages/channel-plan.ts'
import type { DryRun } from '../../../src/contract/messages/dry-run.ts'
import type { Audience, Forecast } from '../../../src/domain/audience/audience.ts'
import type { ChannelPlan } from '../../../src/domain/content/channel-plan.ts'

test('an audience on the wire is an audience of the domain, and the reverse', () => {
  expectTypeOf<WireAudience>().toExtend<Audience>()
  expectTypeOf<Audience>().toExtend<WireAudience>()
})

test('a channel plan means the same on the wire and in the domain', () => {
  expectTypeOf<WirePlan>().toExtend<ChannelPlan>()
  expectTypeOf<ChannelPlan>().toExtend<WirePlan>()
})

test('what the domain forecasts is what a dry-run answers', () => {
  expectTypeOf<Forecast>().toExtend<DryRun>()
  expectTypeOf<DryRun>().toExtend<Forecast>()
})
