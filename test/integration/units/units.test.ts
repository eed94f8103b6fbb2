import { describe, expect, it } from 'vitest'
import { getUnit } from '../../../src/services/identity/unit.ts'
import { forMessages } from '../../fixtures/message-fixture.ts'

const { fixture } = forMessages()

describe('a unit', () => {
  it('shows its members with their roles and this month’s ledger', async () => {
    const unit = await getUnit(fixture.services, fixture.editor, fixture.unit.id)
    expect(unit).toMatchObject({ name: 'Registry', kind: 'ordinary' })
    expect(unit.members).toContainEqual({
      id: fixture.both.personId,
      name: 'Both',
      roles: ['approver', 'editor'],
    })
    expect(unit.ledger).toContainEqual(
      expect.objectContaining({ channel: 'chat', limit: 1_000, committed: 0, threshold: 'ok' }),
    )
  })
})
