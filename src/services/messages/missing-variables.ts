import { ServiceError } from '../../contract/errors.ts'
import type { TemplateVariable } from '../../contract/templates/template.ts'
import { variableLabelAndName } from '../../domain/content/variable-label.ts'

/** The error about variables of a template without a value: its message names them as people do. */
export function missingVariables(
  names: readonly string[],
  variables: readonly TemplateVariable[],
): ServiceError {
  const labelled = variables.filter(({ name, label }) => label && names.includes(name))
  const labels = Object.fromEntries(labelled.map(({ name, label }) => [name, label]))
  const called = names.map((name) => {
    const variable = labelled.find((one) => one.name === name)
    return variable ? variableLabelAndName('en', variable) : name
  })
  return new ServiceError(
    'missing_variable',
    `Variables are missing: ${called.join(', ')}. Add them to variables.`,
    { variables: names, ...(labelled.length > 0 && { labels }) },
  )
}
