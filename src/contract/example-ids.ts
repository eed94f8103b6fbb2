export const exampleId = '01939a2e-4b7c-7d10-8f3e-2a5b6c7d8e9f'

export const exampleUnitId = '01939a2e-0000-7000-8000-000000000001'
