/** Names of those who act without being a person or a key. */
const systemNames: Record<string, string> = {
  'system:auto': 'Automatic check',
  'system:run': 'Carillon',
  'system:mail': 'Mail server',
  'operator:temporal': 'Operator (Temporal UI)',
  'operator:cli': 'Operator (command line)',
}

/** A system that sent an event goes by the name of its source; recipients stay without a name here. */
export function actorView(id: string, name: string | null): { id: string; name: string } {
  return {
    id,
    name: name ?? systemNames[id] ?? id.replace(/^event:/, '').replace(/^recipient:.*/, 'Recipient'),
  }
}
