import { exampleId, exampleUnitId } from '../example-ids.ts'
import type { CreateGroup, Group } from './group.ts'

const createdAt = '2026-11-20T02:00:00.000Z'

export const exampleCreateGroup: CreateGroup = {
  name: 'Scholarship holders',
  kind: 'static',
  legalBasis: 'public_task',
}

export const exampleGroup: Group = {
  id: exampleId,
  unitId: exampleUnitId,
  name: 'Scholarship holders',
  kind: 'static',
  legalBasis: 'public_task',
  parentId: null,
  keptBy: null,
  memberCount: 120,
  createdAt,
}

export const exampleDynamicGroup: Group = {
  id: exampleId,
  unitId: exampleUnitId,
  name: 'Graduates who like music',
  kind: 'dynamic',
  legalBasis: null,
  parentId: null,
  keptBy: null,
  query: { kind: 'query', stages: ['alumni'], tags: ['interest:music'] },
  createdAt,
}
